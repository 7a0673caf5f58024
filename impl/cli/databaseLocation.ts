import type { DatabaseLocation } from 'polgate-service/store/openDatabase.ts'
import { CommandError } from './commandDefinition.ts'
import { databaseUrl, withDatabaseUrl } from './databaseUrl.ts'
import { readConfig } from './readConfig.ts'
import { storeDirectory } from './storeDirectory.ts'

/** Options that select a database. */
export type PlaceOptions = {
  readonly config?: string
  readonly dataDir?: string
  readonly databaseUrl?: string
}

/**
 * The database selected by the options, else by the environment, if any.
 *
 * @param mayMake whether to create a database in a data directory that has none
 * @throws CommandError
 */
export async function databaseLocation(
  options: PlaceOptions,
  mayMake: boolean,
): Promise<DatabaseLocation | undefined> {
  const { config, dataDir } = options
  const named = Object.entries({
    '--config': config,
    '--data-dir': dataDir,
    '--database-url': options.databaseUrl,
  }).filter(([, value]) => value !== undefined)
  if (named.length > 1) {
    const names = named.map(([name]) => name).join(' and ')
    throw new CommandError(`${names} select different databases`, {
      hint: 'Pass only one of them.',
    })
  }
  if (options.databaseUrl !== undefined) return { url: options.databaseUrl }
  if (dataDir !== undefined) return { dataDir: storeDirectory(dataDir, mayMake) }
  if (config !== undefined) return await configured(config)
  const url = databaseUrl()
  return url === undefined ? undefined : { url }
}

async function configured(path: string): Promise<DatabaseLocation> {
  const config: { store?: DatabaseLocation } = await readConfig(path, ['store'])
  const { dataDir, url } = withDatabaseUrl(config).store ?? {}
  if (url !== undefined) return { url }
  if (dataDir !== undefined) return { dataDir }
  throw new CommandError(`${path} configures no store, so its data is in memory only`, {
    hint: 'Set store.dataDir or store.url in it, or DATABASE_URL.',
  })
}

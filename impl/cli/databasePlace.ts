import type { DatabasePlace } from 'polgate-service/store/openDatabase.ts'
import { databaseUrl, withDatabaseUrl } from './databaseUrl.ts'
import { readConfig } from './readConfig.ts'
import { storeDirectory } from './storeDirectory.ts'
import { CommandError } from './verb.ts'

/** The options by which commands about a database are told which. */
export type PlaceOptions = {
  readonly config?: string
  readonly dataDir?: string
  readonly databaseUrl?: string
}

/**
 * The database that the options name, else the environment; undefined where neither does.
 *
 * @param mayMake whether a data directory without a database is to get one
 * @throws CommandError
 */
export async function databasePlace(
  options: PlaceOptions,
  mayMake: boolean,
): Promise<DatabasePlace | undefined> {
  const { config, dataDir } = options
  const named = Object.entries({
    '--config': config,
    '--data-dir': dataDir,
    '--database-url': options.databaseUrl,
  }).filter(([, value]) => value !== undefined)
  if (named.length > 1) {
    const names = named.map(([name]) => name).join(' and ')
    throw new CommandError(`${names} name two databases`, { hint: 'Give one of them.' })
  }
  if (options.databaseUrl !== undefined) return { url: options.databaseUrl }
  if (dataDir !== undefined) return { dataDir: storeDirectory(dataDir, mayMake) }
  if (config !== undefined) return await configured(config)
  const url = databaseUrl()
  return url === undefined ? undefined : { url }
}

async function configured(path: string): Promise<DatabasePlace> {
  const config: { store?: DatabasePlace } = await readConfig(path, ['store'])
  const { dataDir, url } = withDatabaseUrl(config).store ?? {}
  if (url !== undefined) return { url }
  if (dataDir !== undefined) return { dataDir }
  throw new CommandError(`${path} names no store: what it runs on is kept in memory`, {
    hint: 'Write store.dataDir or store.url into it, or set DATABASE_URL.',
  })
}

import { systemClock } from 'polgate-protocol/clock.ts'
import { type LoadResult, loadSnapshot } from 'polgate-service/snapshot/loadSnapshot.ts'
import { readContainer } from 'polgate-service/snapshot/readContainer.ts'
import { newestSchema } from 'polgate-service/store/schemaVersion.ts'
import { describeUrl } from 'polgate-service/store/serverUrl.ts'
import { CommandError } from '../commandDefinition.ts'
import { databaseLocation } from '../databaseLocation.ts'
import { describeSnapshot } from './describeSnapshot.ts'
import { interruptible } from './interruptible.ts'
import { contentLocation, type SnapshotOptions } from './snapshotLocation.ts'

export type LoadOptions = SnapshotOptions & { readonly replace?: boolean }

/** `polgate snapshot load FILE`. */
export async function loadFromFile(file: string, options: LoadOptions): Promise<void> {
  await interruptible('nothing was loaded', async (signal) => {
    const { withoutChain = false, withoutContent = false, replace = false } = options
    const reader = await readContainer(file)
    reader.close()
    const ofStack = reader.manifest.chain !== null && !withoutChain
    const where = await placeOf(options)
    const loaded = await loadSnapshot(file, {
      ...where,
      contentDirectory: await contentLocation(options, ofStack),
      replace,
      without: { chain: withoutChain, content: withoutContent },
      clock: systemClock,
      signal,
    })
    if (options.json) return console.log(JSON.stringify(loaded))
    const to = where.databaseUrl === undefined ? where.dataDir : describeUrl(where.databaseUrl)
    console.log([`loaded ${file} into ${to}`, ...describe(loaded)].join('\n'))
    if (loaded.chain)
      console.log(`\nRun \`polgate start --data-dir ${where.dataDir}\` to continue from there`)
  })
}

function describe({ manifest, rows, contents, chain, aside }: LoadResult): string[] {
  const upgraded =
    manifest.schema === newestSchema
      ? []
      : [`upgraded  schema ${manifest.schema} to ${newestSchema}`]
  return [
    ...describeSnapshot(chain ? manifest : { ...manifest, chain: null }, {
      ...{ rows, contents },
      leftOut: [],
    }),
    ...upgraded,
    ...(aside.directory === undefined ? [] : [`moved     previous data to ${aside.directory}`]),
    ...(aside.schema === undefined ? [] : [`moved     previous data to schema ${aside.schema}`]),
  ]
}

/** Where to load; the chain needs a data directory even if the database is on a server. */
async function placeOf(
  options: LoadOptions,
): Promise<{ readonly dataDir?: string; readonly databaseUrl?: string }> {
  const { dataDir, databaseUrl, config } = options
  if (databaseUrl !== undefined && config === undefined)
    return { databaseUrl, ...(dataDir === undefined ? {} : { dataDir }) }
  if (dataDir !== undefined && config === undefined) return { dataDir }
  const place = await databaseLocation(options, true)
  if (place?.url !== undefined) return { databaseUrl: place.url }
  if (place?.dataDir !== undefined) return { dataDir: place.dataDir }
  throw new CommandError('No destination to load into', {
    hint: 'Pass --data-dir, --database-url or --config, or set DATABASE_URL.',
  })
}

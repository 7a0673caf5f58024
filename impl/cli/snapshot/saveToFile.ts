import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { findNewest } from 'polgate-lib/files/generations.ts'
import { packageVersion } from 'polgate-lib/packageVersion.ts'
import { readStackFile } from 'polgate-local/stackFile.ts'
import { systemClock } from 'polgate-protocol/clock.ts'
import { createContentStore } from 'polgate-service/content/contentStore.ts'
import { stoppedChain } from 'polgate-service/snapshot/chainSource.ts'
import { dataLocation, isOfStack } from 'polgate-service/snapshot/dataLocation.ts'
import { type SnapshotSources, saveSnapshot } from 'polgate-service/snapshot/saveSnapshot.ts'
import { writeSnapshotFile } from 'polgate-service/snapshot/snapshotFile.ts'
import { openDatabase } from 'polgate-service/store/openDatabase.ts'
import { CommandError } from '../commandDefinition.ts'
import { controlRequest } from '../controlRequest.ts'
import { databaseLocation } from '../databaseLocation.ts'
import { databaseUrl as environmentUrl } from '../databaseUrl.ts'
import { describeSnapshot } from './describeSnapshot.ts'
import { interruptible } from './interruptible.ts'
import { contentLocation, type SnapshotOptions } from './snapshotLocation.ts'

export type SaveOptions = SnapshotOptions & { readonly control?: string }

/** `polgate snapshot save FILE`. */
export async function saveToFile(file: string, options: SaveOptions): Promise<void> {
  await interruptible(`${file} is unchanged`, async (signal) => {
    const control = await controlOf(options)
    const saved =
      control === undefined
        ? await withSources(options, (sources) =>
            writeSnapshotFile(file, (to) => saveSnapshot(sources, to), signal),
          )
        : await saveStack(file, control, options, signal)
    const { manifest, rows, contents, leftOut } = saved
    if (options.json)
      return console.log(JSON.stringify({ file, manifest, rows, contents, leftOut }))
    console.log([`saved ${file}`, ...describeSnapshot(manifest, saved)].join('\n'))
    const { chain } = manifest
    if (chain === null && !options.withoutChain)
      console.error(
        'note: the snapshot does not contain the chain: it is not the Anvil of a local stack',
      )
  })
}

/** The control URL of the running stack, unless options or environment select another service. */
async function controlOf(options: SaveOptions): Promise<string | undefined> {
  const { control, config, dataDir, databaseUrl } = options
  const other = config ?? dataDir ?? databaseUrl
  if (control === undefined)
    return (other ?? environmentUrl()) === undefined
      ? (await readStackFile())?.controlUrl
      : undefined
  if (other === undefined) return control
  throw new CommandError(
    '--control cannot be combined with --config, --data-dir or --database-url',
    {
      hint: 'Pass --control alone, for a running stack.',
    },
  )
}

async function saveStack(
  file: string,
  control: string,
  options: SaveOptions,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<typeof writeSnapshotFile>>> {
  if (options.contentDir !== undefined)
    throw new CommandError('--content-dir is not supported for a running stack', {
      hint: 'Omit it: the stack saves its own content store.',
    })
  const body = { chain: !options.withoutChain, content: !options.withoutContent }
  const response = await controlRequest(control, '/snapshot', {
    method: 'POST',
    body: JSON.stringify(body),
    signal,
  })
  const from = Readable.fromWeb(response.body as import('node:stream/web').ReadableStream)
  return await writeSnapshotFile(
    file,
    async (to) => {
      await pipeline(from, to).catch((cause: unknown) => {
        signal.throwIfAborted()
        // Write errors, such as a full disk, are reported as they are; any other error means the stack ended.
        if ((cause as NodeJS.ErrnoException).syscall === 'write') throw cause
        throw new CommandError('The local stack ended before the snapshot was complete', {
          hint: `${file} is unchanged. Check that the stack is running; its log may have details.`,
          cause,
        })
      })
    },
    signal,
  )
}

async function withSources<T>(
  options: SaveOptions,
  work: (sources: SnapshotSources) => Promise<T>,
): Promise<T> {
  const place = await databaseLocation(options, false)
  if (place === undefined)
    throw new CommandError('Nothing to save', {
      hint: 'Run `polgate start` here, pass --config, --data-dir or --database-url, or set DATABASE_URL.',
    })
  const { dataDir } = options
  const ofStack = dataDir !== undefined && isOfStack(dataDir)
  const content = await contentLocation(options, false)
  if (content === undefined && !options.withoutContent)
    throw new CommandError('The content store is unknown', {
      hint: 'Pass --content-dir or --config, or omit the contents with --without-content.',
    })
  const chain = ofStack && !options.withoutChain ? await chainOf(dataDir) : undefined
  const database = await openDatabase(place, { mustExist: true })
  try {
    return await work({
      database,
      chain,
      content: content === undefined ? undefined : createContentStore({ directory: content }),
      release: packageVersion,
      clock: systemClock,
    })
  } finally {
    await database.close()
  }
}

async function chainOf(dataDir: string) {
  const { chainState, deployment } = dataLocation(dataDir, true)
  const found = await findNewest(chainState).catch((cause: Error) => {
    throw new CommandError(`The state of the chain in ${dataDir} is damaged: ${cause.message}`, {
      hint: 'Use --without-chain to save without it.',
      cause,
    })
  })
  if (found !== undefined && existsSync(deployment))
    return stoppedChain(found.generation.path, await readFile(deployment))
  throw new CommandError(`The chain state in ${dataDir} is missing: no chain.json`, {
    hint: 'Use --without-chain to save without it, or start and stop the stack once.',
  })
}

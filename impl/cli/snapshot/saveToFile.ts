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
import { dataPlace, isOfStack } from 'polgate-service/snapshot/dataPlace.ts'
import { type SnapshotSources, saveSnapshot } from 'polgate-service/snapshot/saveSnapshot.ts'
import { writeSnapshotFile } from 'polgate-service/snapshot/snapshotFile.ts'
import { openDatabase } from 'polgate-service/store/openDatabase.ts'
import { callControl } from '../callControl.ts'
import { databasePlace } from '../databasePlace.ts'
import { databaseUrl as environmentUrl } from '../databaseUrl.ts'
import { CommandError } from '../verb.ts'
import { describeSnapshot } from './describeSnapshot.ts'
import { interruptible } from './interruptible.ts'
import { contentPlace, type SnapshotOptions } from './snapshotPlace.ts'

export type SaveOptions = SnapshotOptions & { readonly control?: string }

/** `svc snapshot save FILE`. */
export async function saveToFile(file: string, options: SaveOptions): Promise<void> {
  await interruptible(`${file} is as it was`, async (signal) => {
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
      console.error('note: the service runs on a chain of others, which is not in the snapshot')
  })
}

/** The stack that runs here, where neither options nor environment name something else. */
async function controlOf(options: SaveOptions): Promise<string | undefined> {
  const { control, config, dataDir, databaseUrl } = options
  const other = config ?? dataDir ?? databaseUrl
  if (control === undefined)
    return (other ?? environmentUrl()) === undefined
      ? (await readStackFile())?.controlUrl
      : undefined
  if (other === undefined) return control
  throw new CommandError('--control and another option name two services', {
    hint: 'Give --control for a stack that runs, and nothing else.',
  })
}

async function saveStack(
  file: string,
  control: string,
  options: SaveOptions,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<typeof writeSnapshotFile>>> {
  if (options.contentDir !== undefined)
    throw new CommandError('A stack that runs knows its own content store', {
      hint: 'Leave --content-dir out.',
    })
  const body = { chain: !options.withoutChain, content: !options.withoutContent }
  const response = await callControl(control, '/snapshot', {
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
        // A full disk is told as it is; everything else is the stack's end.
        if ((cause as NodeJS.ErrnoException).syscall === 'write') throw cause
        throw new CommandError('The local stack ended before the snapshot was complete', {
          hint: `${file} is as it was. Is the stack still running? Its log may say more.`,
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
  const place = await databasePlace(options, false)
  if (place === undefined)
    throw new CommandError('There is nothing to save here', {
      hint: 'Run `svc start` here, give --config, --data-dir or --database-url, or set DATABASE_URL.',
    })
  const { dataDir } = options
  const ofStack = dataDir !== undefined && isOfStack(dataDir)
  const content = await contentPlace(options, false)
  if (content === undefined && !options.withoutContent)
    throw new CommandError('Nothing says where the contents are', {
      hint: 'Give --content-dir or --config, or --without-content to save none.',
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
  const { chainState, deployment } = dataPlace(dataDir, true)
  const found = await findNewest(chainState).catch((cause: Error) => {
    throw new CommandError(`The state of the chain in ${dataDir} is damaged: ${cause.message}`, {
      hint: 'Save without it by --without-chain.',
      cause,
    })
  })
  if (found !== undefined && existsSync(deployment))
    return stoppedChain(found.generation.path, await readFile(deployment))
  throw new CommandError(`The chain of ${dataDir} is missing: there is no chain.json`, {
    hint: 'Save without it by --without-chain, or start the stack once and end it.',
  })
}

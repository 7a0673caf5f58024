import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { moveFile } from 'polgate-lib/files/moveFile.ts'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import type { Clock } from 'polgate-protocol/clock.ts'
import { parseContentId } from '../content/contentId.ts'
import { localBlocks } from '../content/localBlocks.ts'
import { asOneLoad } from '../store/halfLoaded.ts'
import { openDatabase } from '../store/openDatabase.ts'
import { dataLocation, isOfStack } from './dataLocation.ts'
import {
  asideOf,
  draftOf,
  holdDirectory,
  refuseFullDisk,
  setAside,
  unpackedFile,
} from './fillDirectory.ts'
import { type LoadedTables, loadTables } from './loadTables.ts'
import type { Manifest } from './manifest.ts'
import { type Part, readContainer } from './readContainer.ts'
import { SnapshotError } from './snapshotError.ts'
import { refuseOtherContent, type VerifiedSnapshot, verifySnapshot } from './verifySnapshot.ts'

/** Stores contents of a snapshot in a content store, without changing existing ones. */
function contentTarget(directory: string | undefined) {
  if (directory === undefined) return undefined
  const blocks = localBlocks(directory)
  return {
    /** @throws SnapshotError `damaged`; ContentError `storage` */
    async put({ name, bytes }: Part): Promise<void> {
      const cid = name.slice('content/'.length)
      refuseOtherContent(cid, bytes)
      const id = parseContentId(cid)
      // An altered existing block is replaced.
      const there = await blocks.read(id, bytes.length).catch(() => undefined)
      if (there === undefined) await blocks.write(id, bytes, true)
    },
  }
}

export type LoadTarget = {
  /** Directory of the database, unless a URL is given for it, and of the chain. */
  readonly dataDir?: string | undefined
  readonly databaseUrl?: string | undefined
  readonly contentDirectory?: string | undefined
  /** Whether existing data may be moved aside; it is never deleted. */
  readonly replace: boolean
  /** Parts of the snapshot to skip. */
  readonly without: { readonly chain: boolean; readonly content: boolean }
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
}

export type LoadResult = {
  readonly manifest: Manifest
  readonly rows: LoadedTables['rows']
  readonly contents: number
  /** Whether the chain was loaded. */
  readonly chain: boolean
  /** Where the earlier data is now. */
  readonly aside: { readonly directory?: string | undefined; readonly schema?: string | undefined }
}

/**
 * Loads a snapshot into an empty place, or replaces the data there. The file is verified completely
 * before anything is changed, and earlier data stays in place until everything has been loaded.
 *
 * @throws SnapshotError of every reason; StoreError `in-use`, `unavailable`, `schema`
 */
export async function loadSnapshot(file: string, target: LoadTarget): Promise<LoadResult> {
  const snapshot = await verifySnapshot(file, target.signal)
  const chain = snapshot.manifest.chain !== null && !target.without.chain
  requireLocations(snapshot, target, chain)
  const { dataDir, databaseUrl } = target
  const stamp = new Date(target.clock()).toISOString().replace(/[-:]|\.\d+/g, '')
  const place =
    dataDir === undefined ? undefined : dataLocation(dataDir, chain || isOfStack(dataDir))
  const embedded = databaseUrl === undefined ? place : undefined
  const own = [
    ...(embedded === undefined ? [] : [join(embedded.storeDirectory, 'cluster')]),
    ...(chain && place !== undefined
      ? [place.chainState, place.previousChainState, place.deployment]
      : []),
  ]
  const occupied = own.find((path) => existsSync(path))
  if (occupied !== undefined && !target.replace) throw occupiedError(occupied)
  if (dataDir !== undefined) await mkdir(dataDir, { recursive: true })
  const release =
    place === undefined
      ? () => {}
      : await holdDirectory(embedded === undefined ? (dataDir as string) : place.storeDirectory)
  const drafts = embedded && join(embedded.storeDirectory, draftName())
  const files = chain && place ? [draftOf(place.chainState), draftOf(place.deployment)] : []
  try {
    if (dataDir !== undefined) await refuseFullDisk(dataDir, snapshot.bytes)
    const [state, deployment] = files
    const loaded = await fill(file, snapshot.manifest, {
      target,
      stamp,
      database: drafts === undefined ? { url: databaseUrl } : { dataDir: drafts },
      state: state?.path,
      deployment: deployment?.path,
    })
    let directory: string | undefined
    const moveIn = async () => {
      directory = await setAside(own, dataDir ?? '', stamp)
      if (drafts !== undefined) await moveFile(join(drafts, 'cluster'), own[0] as string)
      for (const draft of files) await draft.place()
    }
    if (embedded === undefined) await moveIn()
    else await asOneLoad(embedded.storeDirectory, asideOf(dataDir as string, stamp), moveIn)
    const { asideSchema: schema, ...rest } = loaded
    return { manifest: snapshot.manifest, chain, ...rest, aside: { directory, schema } }
  } finally {
    for (const draft of files) await draft.remove()
    if (drafts !== undefined) await rm(drafts, { recursive: true, force: true })
    release()
  }
}

/** Named like the drafts of the store, which removes those of a killed process. */
const draftName = () => `cluster.loading-${randomBytes(6).toString('hex')}`

type Filling = {
  readonly target: LoadTarget
  readonly stamp: string
  readonly database: Parameters<typeof openDatabase>[0]
  readonly state: string | undefined
  readonly deployment: string | undefined
}

async function fill(
  file: string,
  manifest: Manifest,
  { target, stamp, database: at, state, deployment }: Filling,
): Promise<LoadedTables & { readonly contents: number }> {
  const { contentDirectory, replace, signal } = target
  const database = await openDatabase(at)
  const content = target.without.content ? undefined : contentTarget(contentDirectory)
  const unpacked = state === undefined ? undefined : unpackedFile(state)
  let contents = 0
  try {
    const reader = await readContainer(file)
    const eachPart = async (take: (part: Part) => Promise<void>) => {
      try {
        for await (const part of reader.parts) {
          signal?.throwIfAborted()
          if (part.name.startsWith('database/')) await take(part)
          else if (part.name.startsWith('chain/state/')) await unpacked?.write(part.bytes)
          else if (part.name.startsWith('chain/')) {
            if (deployment !== undefined) await replaceFile(deployment, part.bytes, { mode: 0o600 })
          } else if (content !== undefined) {
            await content.put(part)
            contents += 1
          }
        }
        // The file may have changed since its verification: this read decides.
        reader.ending()
        await unpacked?.end()
      } finally {
        reader.close()
      }
    }
    return { ...(await loadTables(database, { manifest, replace, stamp, eachPart })), contents }
  } finally {
    await database.close()
  }
}

function requireLocations(
  { manifest }: VerifiedSnapshot,
  target: LoadTarget,
  chain: boolean,
): void {
  const { dataDir, databaseUrl, contentDirectory, without } = target
  if (dataDir === undefined && databaseUrl === undefined)
    throw noLocation('database', 'Pass --data-dir, --database-url or --config.')
  if (chain && dataDir === undefined)
    throw noLocation('state of a chain', 'Also pass --data-dir, or --without-chain.')
  if (manifest.content && contentDirectory === undefined && !without.content)
    throw noLocation('content store', 'Pass --content-dir, or --without-content.')
}

const noLocation = (what: string, hint: string) =>
  new SnapshotError(`The snapshot has a ${what}, but no location is given for it`, {
    code: 'no-place',
    hint,
  })

const occupiedError = (path: string) =>
  new SnapshotError(`The target already has data: ${path}`, {
    code: 'occupied',
    hint: 'Choose another directory, or pass --replace to move the existing data aside.',
  })

import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { moveFile } from 'polgate-lib/files/moveFile.ts'
import { draftPathOf } from 'polgate-lib/files/replaceFile.ts'
import { lockDirectory } from '../store/directoryLock.ts'
import { damaged, SnapshotError } from './snapshotError.ts'

export const asideOf = (dataDir: string, stamp: string): string => join(dataDir, `before-${stamp}`)

/** Moves existing files into a directory next to them that has `stamp` in its name. */
export async function setAside(
  paths: readonly string[],
  dataDir: string,
  stamp: string,
): Promise<string | undefined> {
  const there = paths.filter((path) => existsSync(path))
  if (there.length === 0) return undefined
  const aside = asideOf(dataDir, stamp)
  for (const path of there) {
    const to = join(aside, path.slice(dataDir.length))
    await mkdir(dirname(to), { recursive: true })
    await moveFile(path, to)
  }
  return aside
}

/**
 * Locks a directory against services while it is being filled. Creates it if necessary.
 *
 * @throws StoreError `in-use`
 */
export async function holdDirectory(directory: string): Promise<() => void> {
  await mkdir(directory, { recursive: true })
  return lockDirectory(directory)
}

/** A file or directory that is moved to its target in one step, or removed. */
export type Draft = {
  readonly path: string
  place(): Promise<void>
  remove(): Promise<void>
}

export function draftOf(target: string): Draft {
  const path = draftPathOf(target)
  return {
    path,
    place: () => moveFile(path, target),
    remove: () => rm(path, { recursive: true, force: true }),
  }
}

/** More than Anvil could load. */
const maxStateBytes = 16 * 1024 ** 3

/** Writes gzipped pieces decompressed to a file. */
export function unpackedFile(path: string, maxBytes: number = maxStateBytes) {
  const input = new PassThrough()
  let bytes = 0
  const bounded = async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      bytes += piece.length
      if (bytes > maxBytes) throw damaged(`the chain's state has more than ${maxBytes} bytes`)
      yield piece
    }
  }
  const output = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  const writing = pipeline(input, createGunzip(), bounded, output)
  writing.catch(() => {})
  return {
    async write(piece: Uint8Array): Promise<void> {
      if (input.write(piece)) return
      const drained = new Promise<void>((resolve) => input.once('drain', () => resolve()))
      await Promise.race([drained, writing])
    },
    async end(): Promise<void> {
      input.end()
      await writing
    },
  }
}

/** Estimated size of a database relative to the texts of its rows: indexes and log included. */
const growth = 3

/** @throws SnapshotError `storage` when a snapshot of this size cannot fit */
export async function refuseFullDisk(directory: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory)
  const free = bavail * bsize
  if (bytes * growth <= free) return
  throw new SnapshotError(
    `${directory} has ${free} bytes free, about ${bytes * growth} are needed`,
    {
      code: 'storage',
      hint: 'Free disk space, or choose another directory.',
    },
  )
}

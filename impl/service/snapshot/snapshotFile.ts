import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { moveFile } from 'polgate-lib/files/moveFile.ts'
import { SnapshotError } from './snapshotError.ts'
import { type VerifiedSnapshot, verifySnapshot } from './verifySnapshot.ts'

/**
 * Writes a snapshot atomically, readable by its owner only. An existing file stays until the new
 * one is complete, synced to disk and verified.
 *
 * @param signal cancels, and leaves no file
 * @throws errors of `write`; SnapshotError `storage`, `damaged`; the signal's reason
 */
export async function writeSnapshotFile(
  file: string,
  write: (destination: Writable) => Promise<void>,
  signal?: AbortSignal,
): Promise<VerifiedSnapshot> {
  const path = resolve(file)
  const directory = dirname(path)
  try {
    await removeDrafts(directory, basename(path))
    const draft = join(directory, draftName(basename(path)))
    try {
      const stream = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
      // Its errors are reported by the writer.
      stream.on('error', () => {})
      const onAbort = () => stream.destroy(signal?.reason as Error)
      signal?.addEventListener('abort', onAbort, { once: true })
      await write(stream).finally(() => signal?.removeEventListener('abort', onAbort))
      const written = await verifySnapshot(draft, signal)
      signal?.throwIfAborted()
      await moveFile(draft, path)
      return written
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  } catch (error) {
    const { code, syscall } = Object(error) as { code?: unknown; syscall?: unknown }
    if (typeof syscall !== 'string' || typeof code !== 'string') throw error
    throw new SnapshotError(`${file} cannot be written: ${reasons[code] ?? code}`, {
      code: 'storage',
      hint: 'The earlier file is unchanged. Choose another location.',
      cause: error,
    })
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EACCES: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOENT: 'its directory does not exist',
  ENOTDIR: 'its directory is a file',
  EISDIR: 'it is a directory',
}

const draftName = (name: string) => `.${name}.${process.pid}-${randomBytes(4).toString('hex')}.part`

/** Removes drafts of killed processes. */
async function removeDrafts(directory: string, name: string): Promise<void> {
  for (const entry of await readdir(directory)) {
    if (!entry.startsWith(`.${name}.`) || !entry.endsWith('.part')) continue
    const pid = Number(/\.(\d+)-[0-9a-f]{8}\.part$/.exec(entry)?.[1])
    if (!Number.isInteger(pid) || isAlive(pid)) continue
    await rm(join(directory, entry), { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

export type ReplaceOptions = {
  /** Default 0o644, minus the umask. */
  readonly mode?: number
  /** Whether to keep an existing file and fail with EEXIST. Default false. */
  readonly exclusive?: boolean
  /**
   * Whether the content survives a crash of the machine once the call has returned. Default true;
   * false is faster, for caches.
   */
  readonly durable?: boolean
}

export type FileContent = string | Uint8Array

/** A temporary name next to the file, on the same file system. */
export const draftPathOf = (path: string): string =>
  join(dirname(path), `.${basename(path)}.${randomUUID()}.part`)

/**
 * Writes a file atomically: into a draft next to it, which is then renamed. A reader finds the old
 * or the new content, never a part, even after a crash or on a full disk.
 *
 * @param content pieces are written in order
 * @throws system errors; the file is then unchanged
 */
export async function replaceFile(
  path: string,
  content: FileContent | readonly FileContent[],
  options: ReplaceOptions = {},
): Promise<void> {
  const { mode = 0o644, exclusive = false, durable = true } = options
  const draft = draftPathOf(path)
  try {
    const file = await open(draft, 'wx', mode)
    try {
      for (const piece of piecesOf(content)) await file.writeFile(piece)
      if (durable) await file.sync()
    } finally {
      await file.close()
    }
    // Unlike a rename, a link never replaces a file.
    if (exclusive) await link(draft, path)
    else await rename(draft, path)
    if (durable) await syncDirectory(dirname(path))
  } finally {
    await rm(draft, { force: true })
  }
}

/** Synchronous variant. */
export function replaceFileSync(
  path: string,
  content: FileContent | readonly FileContent[],
  options: ReplaceOptions = {},
): void {
  const { mode = 0o644, exclusive = false, durable = true } = options
  const draft = draftPathOf(path)
  try {
    const descriptor = openSync(draft, 'wx', mode)
    try {
      writePieces(descriptor, piecesOf(content))
      if (durable) fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    if (exclusive) linkSync(draft, path)
    else renameSync(draft, path)
    if (durable) syncDirectorySync(dirname(path))
  } finally {
    rmSync(draft, { force: true })
  }
}

const chunkBytes = 64 * 1024

/** Collects small pieces: a call of the system for each takes longer than copying them. */
function writePieces(descriptor: number, pieces: readonly FileContent[]): void {
  const chunk = Buffer.allocUnsafe(chunkBytes)
  let used = 0
  const flush = () => {
    writeFileSync(descriptor, chunk.subarray(0, used))
    used = 0
  }
  for (const piece of pieces) {
    // UTF-8 takes at most three bytes for each unit of UTF-16.
    const most = typeof piece === 'string' ? 3 * piece.length : piece.length
    if (most > chunkBytes - used) flush()
    if (most > chunkBytes) writeFileSync(descriptor, piece)
    else if (typeof piece === 'string') used += chunk.write(piece, used)
    else {
      chunk.set(piece, used)
      used += piece.length
    }
  }
  flush()
}

/** Of a file system that cannot sync a directory, such as some of networks. */
const cannotSync: ReadonlySet<unknown> = new Set(['EINVAL', 'ENOTSUP', 'EISDIR'])

function orUnsupported(error: unknown): void {
  if (!cannotSync.has((error as NodeJS.ErrnoException).code)) throw error
}

/** Makes renames in a directory durable. Windows has no such call and does not need it. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  try {
    await handle.sync().catch(orUnsupported)
  } finally {
    await handle.close()
  }
}

/** Synchronous variant. */
export function syncDirectorySync(directory: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(directory, 'r')
  try {
    fsyncSync(descriptor)
  } catch (error) {
    orUnsupported(error)
  } finally {
    closeSync(descriptor)
  }
}

const piecesOf = (content: FileContent | readonly FileContent[]): readonly FileContent[] =>
  typeof content === 'string' || content instanceof Uint8Array ? [content] : content

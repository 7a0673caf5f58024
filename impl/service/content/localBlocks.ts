import { type FileHandle, mkdir, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { CID } from 'multiformats/cid'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import { BadBlock, collectBlock } from './collectBlock.ts'
import { ContentError } from './contentError.ts'
import { keyOf } from './contentId.ts'

/** Blocks in a directory, one file each, named by content id. Several processes may share it. */
export type LocalBlocks = {
  /**
   * @returns undefined when it is missing
   * @throws BadBlock when it was altered or is larger, ContentError `storage`
   */
  read(cid: CID, maxBytes: number): Promise<Uint8Array | undefined>
  /**
   * Writes a block atomically, replacing an altered one.
   * @param kept whether to sync it to disk; not necessary for a block that can be fetched again
   * @throws ContentError `storage`
   */
  write(cid: CID, block: Uint8Array, kept: boolean): Promise<void>
  /** All blocks, sorted by name; files with other names are ignored. */
  list(): Promise<{ readonly cid: string; readonly bytes: number }[]>
}

const pieceBytes = 1024 * 1024
/** The syntax of `keyOf`. */
const blockName = /^b[a-z2-7]{30,}$/

export function localBlocks(directory: string): LocalBlocks {
  const pathOf = (cid: CID) => join(directory, keyOf(cid))
  return {
    async read(cid, maxBytes) {
      let file: FileHandle | undefined
      try {
        file = await open(pathOf(cid))
        const { size: expected } = await file.stat()
        const pieces = file.createReadStream({ highWaterMark: pieceBytes })
        return await collectBlock(cid, pieces, { maxBytes, expected })
      } catch (error) {
        if (error instanceof BadBlock || codeOf(error) === undefined) throw error
        if (codeOf(error) === 'ENOENT') return undefined
        throw contentStorageError('read', error)
      } finally {
        await file?.close()
      }
    },
    async write(cid, block, kept) {
      try {
        await mkdir(directory, { recursive: true })
        await replaceFile(pathOf(cid), block, { durable: kept })
      } catch (error) {
        throw contentStorageError('written', error)
      }
    },
    async list() {
      try {
        const names = (await readdir(directory)).filter((name) => blockName.test(name)).sort()
        const sized = names.map(async (cid) => {
          const found = await stat(join(directory, cid)).catch(() => undefined)
          return found?.isFile() ? [{ cid, bytes: found.size }] : []
        })
        return (await Promise.all(sized)).flat()
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return []
        throw contentStorageError('read', error)
      }
    },
  }
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EFBIG: 'a file would exceed the file size limit of this process',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'it is read-only',
  EMFILE: 'this process has no file handle left',
  ENFILE: 'this machine has no file handle left',
  ENOTDIR: 'it is not a directory',
  EEXIST: 'it is not a directory',
}

/** The error, without the path: a caller of the service may see it. */
export function contentStorageError(what: 'read' | 'written', cause: unknown): ContentError {
  const code = codeOf(cause)
  const why = reasons[code ?? ''] ?? code ?? 'unknown error'
  return new ContentError('storage', `the local content store cannot be ${what}: ${why}`, { cause })
}

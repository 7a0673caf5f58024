import type { CID } from 'multiformats/cid'
import { linkedSignal } from 'polgate-lib/async/linkedSignal.ts'
import { BadBlock } from './collectBlock.ts'
import { defaultMaxBytes } from './contentConfig.ts'
import { ContentError } from './contentError.ts'
import { inlineBlock, keyOf, parseContentId } from './contentId.ts'
import { type FileLayout, fileBlocks, unixFsV1 } from './fileLayout.ts'
import { createFileMemory } from './fileMemory.ts'
import type { Gateways } from './gateways.ts'
import { localBlocks } from './localBlocks.ts'
import { readFile, tooLarge } from './readFile.ts'
import { createSharedWork } from './sharedWork.ts'

/** Files by content id: components, secrets schemas, policies (decision O7). */
export type ContentStore = {
  /**
   * Stores a file durably in the local store. Returns its content id, by default that of the
   * profile `unixfs-v1-2025`: a file of up to 1 MiB is one raw block.
   *
   * @throws ContentError `size`, `storage`
   */
  put(file: Uint8Array, layout?: FileLayout): Promise<string>
  /**
   * The file of a content id; each block is checked against its hash. The bytes are shared and must
   * not be modified.
   *
   * @throws ContentError; the signal's reason when it aborts
   */
  get(cid: string, options?: { signal?: AbortSignal }): Promise<Uint8Array>
  /**
   * One block from the local store only; undefined when it is missing or altered.
   * @throws ContentError
   */
  block(cid: string): Promise<Uint8Array | undefined>
  /** The blocks of the local store, by content id. */
  list(): Promise<readonly { readonly cid: string; readonly bytes: number }[]>
}

export type ContentStoreOptions = {
  readonly directory: string
  /** Sources for content that the directory does not have. */
  readonly gateways?: Gateways | undefined
  /** Maximum file size, bytes. Default: the limit of a component (decision O4). */
  readonly maxBytes?: number | undefined
  /** Maximum blocks of one file, counted each time they are used. */
  readonly maxBlocks?: number | undefined
}

const defaultMaxBlocks = 4_096
const memoryLimits = { totalBytes: 16 * 1024 * 1024, fileBytes: 512 * 1024 }

/**
 * A content store in a directory, in which fetched blocks are stored too. Nothing is ever deleted.
 */
export function createContentStore(options: ContentStoreOptions): ContentStore {
  const { gateways, maxBytes = defaultMaxBytes, maxBlocks = defaultMaxBlocks } = options
  const local = localBlocks(options.directory)
  const memory = createFileMemory(memoryLimits)
  const files = createSharedWork<Uint8Array>()
  const fetches = createSharedWork<Uint8Array>()

  return {
    async put(file, layout = unixFsV1) {
      if (file.length > maxBytes) throw tooLarge(maxBytes)
      let root: CID | undefined
      for (const { cid, block } of fileBlocks(file, layout)) {
        await local.write(cid, block, true)
        root = cid
      }
      return String(root)
    },
    async get(text, { signal = new AbortController().signal } = {}) {
      signal.throwIfAborted()
      const cid = parseContentId(text)
      const key = keyOf(cid)
      return memory.get(key) ?? (await files(key, signal, (own) => getFile(cid, key, own)))
    },
    async block(text) {
      const cid = parseContentId(text)
      const found = await fromLocal(cid, maxBytes)
      if (found instanceof ContentError) throw found
      return found instanceof Uint8Array ? found : undefined
    },
    list: () => local.list(),
  }

  async function getFile(cid: CID, key: string, signal: AbortSignal): Promise<Uint8Array> {
    const parts = linkedSignal(signal)
    try {
      const read = (each: CID, most: number) => readBlock(each, most, parts.signal)
      const file = await readFile(cid, read, { maxBytes, maxBlocks })
      memory.keep(key, file)
      return file
    } finally {
      parts.release()
      // Of a file that cannot be had the other parts are not needed any more.
      parts.abort()
    }
  }

  async function readBlock(cid: CID, most: number, signal: AbortSignal): Promise<Uint8Array> {
    signal.throwIfAborted()
    const found = await fromLocal(cid, most)
    if (found instanceof Uint8Array) return found
    if (gateways === undefined) throw unavailable(cid, [found])
    const fetchBlock = async (own: AbortSignal): Promise<Uint8Array> => {
      const fetched = await gateways.fetch(cid, most, own)
      if ('problems' in fetched)
        throw unavailable(cid, [found, ...fetched.problems], fetched.tooLarge)
      // A fetched block is valid even if it cannot be stored.
      await local.write(cid, fetched.block, false).catch(() => {})
      return fetched.block
    }
    return await fetches(`${keyOf(cid)} ${most}`, signal, fetchBlock)
  }

  /** The block, or why the local store cannot provide it; undefined when it is simply missing. */
  async function fromLocal(cid: CID, most: number): Promise<Uint8Array | Error | undefined> {
    const inline = inlineBlock(cid)
    if (inline !== undefined) return inline
    try {
      return await local.read(cid, most)
    } catch (error) {
      if (error instanceof BadBlock || error instanceof ContentError) return error
      throw error
    }
  }
}

function unavailable(
  cid: CID,
  problems: readonly (Error | string | undefined)[],
  fetchedTooLarge = false,
): ContentError {
  const [local] = problems
  const tooLarge = fetchedTooLarge || (local instanceof BadBlock && local.code === 'size')
  const texts = problems.flatMap((problem) => {
    if (problem instanceof BadBlock) return [`the local store ${problem.message}`]
    return problem instanceof Error ? [problem.message] : (problem ?? [])
  })
  const why = texts.length === 0 ? 'no source has it' : texts.join('; ')
  return new ContentError(
    tooLarge ? 'size' : 'unavailable',
    `the content ${cid} is unavailable: ${why}`,
  )
}

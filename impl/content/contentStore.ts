import type { CID } from 'multiformats/cid'
import { type BlockSource, directorySource, tooLarge } from './blockSource.ts'
import { ContentError } from './contentError.ts'
import { contentIdOf, dagPbCodec, isBlockOf, parseContentId } from './contentId.ts'
import { createFileMemory } from './fileMemory.ts'
import { decodeFileNode } from './unixFs.ts'

/** Files by content id: components, secrets schemas, policies (decision O7). */
export interface ContentStore {
  /** Keep bytes in the local store. Returns their content id: version 1, raw, sha2-256. */
  put(bytes: Uint8Array): Promise<string>
  /**
   * The file that a content id names, each block hashed before it is used. Its bytes are shared: they
   * are not to be written to.
   * @throws ContentError when no source has it, it is too large, or a block is not its own
   */
  get(cid: string, options?: { signal?: AbortSignal }): Promise<Uint8Array>
  /** One block as it is, for serving `/ipfs/{cid}` from the local store; undefined when unknown. */
  block(cid: string): Promise<Uint8Array | undefined>
}

/** As large as a component may be (decision O4). */
const defaultMaxBytes = 64 * 1024 * 1024
const maxBlocks = 4_096
const maxDepth = 8
const memoryLimits = { totalBytes: 16 * 1024 * 1024, fileBytes: 512 * 1024 }

/**
 * A store on a directory, which also keeps what it had to fetch.
 *
 * @param sources asked in order after the directory, usually HTTP gateways
 */
export function createContentStore(options: {
  directory: string
  sources?: readonly BlockSource[]
  /** Largest file, bytes. */
  maxBytes?: number
}): ContentStore {
  const { sources = [], maxBytes = defaultMaxBytes } = options
  const local = directorySource(options.directory)
  const memory = createFileMemory(memoryLimits)
  const forever = new AbortController().signal

  return {
    async put(bytes) {
      if (bytes.length > maxBytes) throw tooLarge(maxBytes)
      const cid = contentIdOf(bytes)
      await local.write(parseContentId(cid), bytes)
      return cid
    },
    async get(text, { signal = forever } = {}) {
      signal.throwIfAborted()
      const known = memory.get(text)
      if (known !== undefined) return known
      const budget = { bytes: maxBytes, blocks: maxBlocks }
      const parts = await readFile(parseContentId(text), budget, signal, 0)
      const file = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
      memory.keep(text, file)
      return file
    },
    async block(text) {
      const cid = parseContentId(text)
      const block = await local.read(cid, { maxBytes, signal: forever })
      return block && isBlockOf(cid, block) ? block : undefined
    },
  }

  async function readFile(
    cid: CID,
    budget: { bytes: number; blocks: number },
    signal: AbortSignal,
    depth: number,
  ): Promise<Uint8Array[]> {
    budget.blocks -= 1
    if (budget.blocks < 0 || depth > maxDepth) {
      throw new ContentError('size', 'the file is made of too many blocks')
    }
    const block = await readBlock(cid, signal)
    const { data, links } =
      cid.code === dagPbCodec ? decodeFileNode(block) : { data: block, links: [] }
    budget.bytes -= data.length
    if (budget.bytes < 0) throw tooLarge(maxBytes)
    const parts = data.length > 0 || links.length === 0 ? [data] : []
    for (const link of links) {
      const child = parseContentId(link.toString())
      parts.push(...(await readFile(child, budget, signal, depth + 1)))
    }
    return parts
  }

  async function readBlock(cid: CID, signal: AbortSignal): Promise<Uint8Array> {
    const problems: string[] = []
    for (const source of [local, ...sources]) {
      try {
        const block = await source.read(cid, { maxBytes, signal })
        if (block === undefined) continue
        if (isBlockOf(cid, block)) {
          if (source !== local) await local.write(cid, block)
          return block
        }
        problems.push('a source answered bytes that do not match')
      } catch (error) {
        if (signal.aborted) throw error
        problems.push(
          error instanceof ContentError ? error.message : 'a source could not be reached',
        )
      }
    }
    const why = problems.length === 0 ? 'no source has it' : problems.join('; ')
    throw new ContentError('unavailable', `the content ${cid} could not be had: ${why}`)
  }
}

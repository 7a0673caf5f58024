import type { CID } from 'multiformats/cid'
import { ContentError, formatBytes } from './contentError.ts'
import { dagPbCodec } from './contentId.ts'
import { decodeFileNode, type FileLink, tooManyBlocks } from './unixFs.ts'

/** A block that was checked against its id; at most `maxBytes` of it are read. */
export type ReadBlock = (cid: CID, maxBytes: number) => Promise<Uint8Array>

export type FileLimits = {
  /** Of the file. */
  readonly maxBytes: number
  /** Of all blocks that have to be read, one that is used twice counted twice. */
  readonly maxBlocks: number
}

/** A node holds a chunk or some hundred links: tools write no chunk larger than 2 MiB. */
const maxNodeBytes = 4 * 1024 * 1024
/** A balanced tree of all blocks that are allowed has two levels; trickle trees are deeper. */
const maxDepth = 32
/** Parts of one node that are asked for at once. */
const parallel = 8

/**
 * Puts a file together from its blocks. Each node says how many bytes every part has: the whole is
 * known before a part is asked for, and a part that has another size ends it. So a small tree that
 * unfolds to a huge file is refused at its root.
 *
 * @throws ContentError
 */
export async function readFile(
  root: CID,
  readBlock: ReadBlock,
  { maxBytes, maxBlocks }: FileLimits,
): Promise<Uint8Array> {
  let blocks = 1
  const parts =
    root.code === dagPbCodec
      ? await readNode(root, undefined, 0)
      : [await readBlock(root, maxBytes)]
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)

  async function readNode(cid: CID, expected: number | undefined, depth: number) {
    if (depth > maxDepth) throw tooManyBlocks()
    const block = await readBlock(cid, Math.min(maxNodeBytes, maxBytes + nodeOverhead))
    const { data, links, bytes } = decodeFileNode(block, maxBlocks - blocks)
    if (expected !== undefined && bytes !== expected) throw otherSize(expected, bytes)
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    blocks += links.length
    if (blocks > maxBlocks) throw tooManyBlocks()
    const below = await inOrder(links, (link) => readLink(link, depth + 1))
    return [data, ...below.flat()]
  }

  async function readLink({ cid, bytes }: FileLink, depth: number): Promise<Uint8Array[]> {
    if (cid.code === dagPbCodec) return await readNode(cid, bytes, depth)
    const leaf = await readBlock(cid, bytes)
    if (leaf.length !== bytes) throw otherSize(bytes, leaf.length)
    return [leaf]
  }
}

/** What a node that holds a whole file has besides the file's bytes. */
const nodeOverhead = 64

/** The results in the order of the items, a few items at a time. */
async function inOrder<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(items.length)
  let next = 0
  let failed = false
  const worker = async () => {
    while (next < items.length && !failed) {
      const at = next
      next += 1
      try {
        results[at] = await work(items[at] as Item)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, worker))
  return results
}

export const tooLarge = (maxBytes: number) =>
  new ContentError('size', `the content is larger than ${formatBytes(maxBytes)}`)

const otherSize = (said: number, has: number) =>
  new ContentError('kind', `a part of the file is said to have ${said} bytes, and has ${has}`)

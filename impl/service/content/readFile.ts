import type { CID } from 'multiformats/cid'
import pMap from 'p-map'
import { ContentError, formatBytes } from './contentError.ts'
import { dagPbCodec } from './contentId.ts'
import { decodeFileNode, type FileLink, type FileNode, tooManyBlocks } from './unixFs.ts'

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
  if (root.code !== dagPbCodec) return await readBlock(root, maxBytes)
  let blocks = 1
  const { data, links, bytes } = await readNode(root)
  // Filled as the parts come: to join them at the end would hold the event loop.
  const file = Buffer.allocUnsafeSlow(bytes)
  file.set(data)
  await readLinks(links, data.length, 1)
  return file

  async function readNode(cid: CID): Promise<FileNode> {
    const block = await readBlock(cid, Math.min(maxNodeBytes, maxBytes + nodeOverhead))
    const node = decodeFileNode(block, maxBlocks - blocks)
    if (node.bytes > maxBytes) throw tooLarge(maxBytes)
    blocks += node.links.length
    if (blocks > maxBlocks) throw tooManyBlocks()
    return node
  }

  async function readLinks(links: readonly FileLink[], start: number, depth: number) {
    if (depth > maxDepth) throw tooManyBlocks()
    let at = start
    const placed = links.map(({ cid, bytes }) => {
      const place = { cid, bytes, at }
      at += bytes
      return place
    })
    const readLink = async (link: (typeof placed)[number]) => {
      if (link.cid.code === dagPbCodec) {
        const node = await readNode(link.cid)
        if (node.bytes !== link.bytes) throw otherSize(link.bytes, node.bytes)
        file.set(node.data, link.at)
        await readLinks(node.links, link.at + node.data.length, depth + 1)
      } else {
        const leaf = await readBlock(link.cid, link.bytes)
        if (leaf.length !== link.bytes) throw otherSize(link.bytes, leaf.length)
        file.set(leaf, link.at)
      }
    }
    await pMap(placed, readLink, { concurrency: parallel })
  }
}

/** What a node that holds a whole file has besides the file's bytes. */
const nodeOverhead = 64

export const tooLarge = (maxBytes: number) =>
  new ContentError('size', `the content is larger than ${formatBytes(maxBytes)}`)

const otherSize = (said: number, has: number) =>
  new ContentError('kind', `a part of the file is said to have ${said} bytes, and has ${has}`)

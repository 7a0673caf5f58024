import type { CID } from 'multiformats/cid'
import pMap from 'p-map'
import { ContentError, formatBytes } from './contentError.ts'
import { dagPbCodec } from './contentId.ts'
import { decodeFileNode, type FileLink, type FileNode, tooManyBlocks } from './unixFs.ts'

/** Reads a block that was checked against its id, of at most `maxBytes`. */
export type ReadBlock = (cid: CID, maxBytes: number) => Promise<Uint8Array>

export type FileLimits = {
  /** Maximum size of the file. */
  readonly maxBytes: number
  /** Maximum number of blocks to read; a block that is used twice counts twice. */
  readonly maxBlocks: number
}

/** A node has one chunk or some hundred links: no tool writes chunks larger than 2 MiB. */
const maxNodeBytes = 4 * 1024 * 1024
/** A balanced tree with the maximum number of blocks has two levels; trickle trees are deeper. */
const maxDepth = 32
/** Concurrently read parts of one node. */
const parallel = 8

/**
 * Joins a file from its blocks. Each node declares the size of every part, so the total is known
 * before a part is read, and a part of another size fails the read. A small tree that expands to a
 * huge file is rejected at its root.
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
  // Filled as parts arrive: joining them at the end would block the event loop.
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

/** Bytes of a node with a whole file, in addition to the file. */
const nodeOverhead = 64

export const tooLarge = (maxBytes: number) =>
  new ContentError('size', `the content is larger than ${formatBytes(maxBytes)}`)

const otherSize = (said: number, has: number) =>
  new ContentError('kind', `a part of the file is declared with ${said} bytes, but has ${has}`)

import { decode, type PBNode } from '@ipld/dag-pb'
import type { CID } from 'multiformats/cid'
import { ContentError } from './contentError.ts'
import { supported } from './contentId.ts'
import { protobufFields, readVarints } from './protobuf.ts'

/** A node of a file: its own bytes, then those of its links, in order. */
export type FileNode = {
  readonly data: Uint8Array
  readonly links: readonly FileLink[]
  /** File bytes of the node and all nodes below, as declared by its block. */
  readonly bytes: number
}

export type FileLink = {
  readonly cid: CID
  /** File bytes below the link, as declared by this node. */
  readonly bytes: number
}

/** Types of UnixFS nodes other than files, by number. */
const otherTypes: readonly (string | undefined)[] = [
  undefined,
  'a directory',
  undefined,
  'metadata',
  'a symbolic link',
  'a sharded directory',
]
const rawType = 0
const fileType = 2

/**
 * Decodes a dag-pb block with a UnixFS file or a part of one.
 *
 * @throws ContentError `kind` for directories, links and invalid bytes; `size` for more links than
 *   allowed
 */
export function decodeFileNode(block: Uint8Array, maxLinks: number): FileNode {
  const { Links, Data: message } = decodeNode(block, maxLinks)
  const cids = Links.map(({ Hash }) => supported(Hash))
  if (message === undefined) throw notAFile()
  const { type, data, fileBytes, blockBytes } = decodeUnixFs(message, maxLinks)
  if (type !== rawType && type !== fileType) {
    const kind = otherTypes[type] ?? `a node of type ${type}`
    throw new ContentError('kind', `the content id names ${kind}, not a file`)
  }
  if (blockBytes.length !== cids.length || (type === rawType && cids.length > 0)) throw notAFile()
  const bytes = blockBytes.reduce((sum, each) => sum + each, data.length)
  if (fileBytes !== undefined && fileBytes !== bytes) {
    throw new ContentError(
      'kind',
      `the file is declared with ${fileBytes} bytes, but its parts have ${bytes}`,
    )
  }
  return { data, bytes, links: cids.map((cid, at) => ({ cid, bytes: blockBytes[at] ?? 0 })) }
}

/**
 * The UnixFS message is decoded here, not with ipfs-unixfs: that has no bound for the number of sizes,
 * and throws away which other type a node has.
 */
function decodeUnixFs(message: Uint8Array, maxBlocks: number) {
  let type: number | undefined
  let data: Uint8Array | undefined
  let fileBytes: number | undefined
  const blockBytes: number[] = []
  for (const { number, value, bytes } of protobufFields(message, notAFile)) {
    // UnixFS Data: 1 = Type, 2 = Data, 3 = filesize, 4 = blocksizes.
    if (number === 1 && value !== undefined) type = value
    else if (number === 2 && bytes) data = bytes
    else if (number === 3 && value !== undefined) fileBytes = value
    else if (number === 4) {
      if (value !== undefined) blockBytes.push(value)
      else if (bytes) blockBytes.push(...readVarints(bytes, maxBlocks + 1, notAFile))
      if (blockBytes.length > maxBlocks) throw tooManyBlocks()
    }
  }
  if (type === undefined) throw notAFile()
  return { type, data: data ?? new Uint8Array(), fileBytes, blockBytes }
}

/**
 * The library decodes every link before it returns: seconds and half a gigabyte for a block of 4 MiB
 * made of the smallest links. So the fields are counted first. Field numbers other than 1 (Data) and 2
 * (Links) are refused here too, as the library reads them modulo 2^29: a larger one would be a link
 * that is not counted.
 */
function decodeNode(block: Uint8Array, maxLinks: number): PBNode {
  let links = 0
  for (const { number } of protobufFields(block, notAFile)) {
    if (number !== 1 && number !== 2) throw notAFile()
    if (number === 2) links += 1
    if (links > maxLinks) throw tooManyBlocks()
  }
  try {
    return decode(block)
  } catch {
    throw notAFile()
  }
}

export const tooManyBlocks = () => new ContentError('size', 'the file has too many blocks')

const notAFile = () => new ContentError('kind', 'the content id names a block that is not a file')

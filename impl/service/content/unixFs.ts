import { CID } from 'multiformats/cid'
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
 * Decodes a dag-pb block with a UnixFS file or a part of one. Decoding stops at the limit: a block
 * of links alone would otherwise block the thread.
 *
 * @throws ContentError `kind` for directories, links and invalid bytes; `size` for more links than
 *   allowed
 */
export function decodeFileNode(block: Uint8Array, maxLinks: number): FileNode {
  const cids: CID[] = []
  let message: Uint8Array | undefined
  for (const field of protobufFields(block, notAFile)) {
    // PBNode: 1 = Data (a UnixFS message), 2 = Links.
    if (field.number === 1 && field.bytes) {
      if (message !== undefined) throw notAFile()
      message = field.bytes
    } else if (field.number === 2 && field.bytes) {
      if (cids.length >= maxLinks) throw tooManyBlocks()
      cids.push(decodeLink(field.bytes))
    }
  }
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

function decodeLink(message: Uint8Array): CID {
  // PBLink: 1 = Hash.
  for (const field of protobufFields(message, notAFile)) {
    if (field.number !== 1 || !field.bytes) continue
    try {
      return supported(CID.decode(field.bytes))
    } catch (error) {
      if (error instanceof ContentError) throw error
      throw notAFile()
    }
  }
  throw notAFile()
}

export const tooManyBlocks = () => new ContentError('size', 'the file has too many blocks')

const notAFile = () => new ContentError('kind', 'the content id names a block that is not a file')

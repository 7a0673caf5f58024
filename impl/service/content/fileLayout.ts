import { encode } from '@ipld/dag-pb'
import type { CID } from 'multiformats/cid'
import { blockId, dagPbCodec, rawCodec } from './contentId.ts'
import { bytesField, numberField } from './protobuf.ts'

/** The parameters of chunking, which together with the bytes determine the content id of a file. */
export type FileLayout = {
  readonly cidVersion: 0 | 1
  readonly chunkBytes: number
  /** Maximum links of one node. */
  readonly maxLinks: number
  /** Whether chunks are raw blocks instead of UnixFS nodes. */
  readonly rawLeaves: boolean
}

/** The profile `unixfs-v0-2015` of IPIP-499: the default of `ipfs add`. */
export const unixFsV0: FileLayout = {
  cidVersion: 0,
  chunkBytes: 256 * 1024,
  maxLinks: 174,
  rawLeaves: false,
}

/** The profile `unixfs-v1-2025` of IPIP-499. */
export const unixFsV1: FileLayout = {
  cidVersion: 1,
  chunkBytes: 1024 * 1024,
  maxLinks: 1024,
  rawLeaves: true,
}

export type Block = { readonly cid: CID; readonly block: Uint8Array }

/** A part of a file while its tree is built. */
type Part = {
  readonly cid: CID
  /** Bytes of the file in it. */
  readonly bytes: number
  /** Bytes of its block and all blocks below. */
  readonly treeBytes: number
}

const fileType = 2

/** The blocks of a file as a balanced tree, children before their parents; the last is the root. */
export function* fileBlocks(file: Uint8Array, layout: FileLayout): Generator<Block> {
  const { chunkBytes, maxLinks } = layout
  let level: Part[] = []
  for (let at = 0; at === 0 || at < file.length; at += chunkBytes) {
    level.push(yield* leaf(file.subarray(at, at + chunkBytes), layout))
  }
  while (level.length > 1) {
    const parents: Part[] = []
    for (let at = 0; at < level.length; at += maxLinks) {
      parents.push(yield* parent(level.slice(at, at + maxLinks), layout))
    }
    level = parents
  }
}

function* leaf(chunk: Uint8Array, { rawLeaves, cidVersion }: FileLayout): Generator<Block, Part> {
  const block = rawLeaves ? chunk : node([], chunk)
  const cid = rawLeaves ? blockId(rawCodec, chunk) : nodeId(block, cidVersion)
  yield { cid, block }
  return { cid, bytes: chunk.length, treeBytes: block.length }
}

function* parent(parts: readonly Part[], { cidVersion }: FileLayout): Generator<Block, Part> {
  const block = node(parts)
  const cid = nodeId(block, cidVersion)
  yield { cid, block }
  return {
    cid,
    bytes: sum(parts.map(({ bytes }) => bytes)),
    treeBytes: block.length + sum(parts.map(({ treeBytes }) => treeBytes)),
  }
}

/** A dag-pb node: its links, then a UnixFS message. */
function node(parts: readonly Part[], data: Uint8Array = new Uint8Array()): Uint8Array {
  const bytes = sum(parts.map((part) => part.bytes)) + data.length
  const message = [
    numberField(1, fileType),
    ...(data.length > 0 ? [bytesField(2, data)] : []),
    numberField(3, bytes),
    ...parts.map((part) => numberField(4, part.bytes)),
  ]
  return encode({
    Links: parts.map(({ cid, treeBytes }) => ({ Hash: cid, Name: '', Tsize: treeBytes })),
    Data: Buffer.concat(message),
  })
}

function nodeId(block: Uint8Array, version: 0 | 1): CID {
  const cid = blockId(dagPbCodec, block)
  return version === 0 ? cid.toV0() : cid
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0)

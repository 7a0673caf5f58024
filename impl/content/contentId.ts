import { createHash } from 'node:crypto'
import { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import { create as createDigest } from 'multiformats/hashes/digest'
import { ContentError } from './contentError.ts'

/** The codecs of blocks that hold a file: bytes as they are, or a UnixFS node. */
export const rawCodec = raw.code
export const dagPbCodec = 0x70

const sha256Code = 0x12

/**
 * A content id from its text, version 0 or 1 (decision O7).
 * @throws ContentError for text that is none, and for hashes and codecs not supported
 */
export function parseContentId(text: string): CID {
  const cid = parse(text)
  if (cid.multihash.code !== sha256Code || cid.multihash.digest.length !== 32) {
    throw new ContentError('id', `the content id ${text} does not use sha2-256`)
  }
  if (cid.code !== rawCodec && cid.code !== dagPbCodec) {
    throw new ContentError('kind', `the content id ${text} is neither raw bytes nor a file`)
  }
  return cid
}

function parse(text: string): CID {
  // Longer than any content id with a 32-byte hash; not worth decoding.
  if (text.length > 128) throw new ContentError('id', 'the content id is too long')
  try {
    return CID.parse(text)
  } catch (error) {
    throw new ContentError('id', `${text} is not a content id`, { cause: error })
  }
}

/** The content id that this store gives to bytes: version 1, raw, sha2-256. */
export function contentIdOf(bytes: Uint8Array): string {
  return CID.createV1(rawCodec, createDigest(sha256Code, sha256(bytes))).toString()
}

/** Whether a block is the one a content id names. */
export function isBlockOf(cid: CID, block: Uint8Array): boolean {
  return Buffer.compare(sha256(block), cid.multihash.digest) === 0
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest()
}

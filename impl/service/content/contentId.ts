import { createHash, type Hash } from 'node:crypto'
import * as dagPb from '@ipld/dag-pb'
import { base16, base16upper } from 'multiformats/bases/base16'
import { base32, base32upper } from 'multiformats/bases/base32'
import { base36, base36upper } from 'multiformats/bases/base36'
import { base58btc } from 'multiformats/bases/base58'
import { base64url } from 'multiformats/bases/base64'
import { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import { create as createDigest } from 'multiformats/hashes/digest'
import { ContentError } from './contentError.ts'

/** The codecs of file blocks: raw bytes, or a UnixFS node. */
export const rawCodec = raw.code
export const dagPbCodec = dagPb.code

const sha256Code = 0x12
const identityCode = 0x00
/** Supported hash functions and their lengths. A truncated hash can be forged. */
const hashes = new Map([
  [sha256Code, { name: 'sha256', bytes: 32 }],
  [0x13, { name: 'sha512', bytes: 64 }],
])

/** Maximum size of content within an id. */
const maxInlineBytes = 128
/** Longer than any content id with a hash in one of the bases below. */
const maxTextLength = 152

const otherCodecs = new Map([
  [0x71, 'dag-cbor data'],
  [0x0129, 'dag-json data'],
  [0x72, 'a key'],
  [0x0200, 'JSON data'],
])

const bases = base32.decoder
  .or(base58btc.decoder)
  .or(base36.decoder)
  .or(base16.decoder)
  .or(base64url.decoder)
  .or(base32upper.decoder)
  .or(base36upper.decoder)
  .or(base16upper.decoder)

/**
 * Parses a content id of version 0 or 1 (decision O7). Hashes: sha2-256, sha2-512, and identity,
 * where the id contains the bytes themselves.
 *
 * @throws ContentError `id` for invalid text and other hashes, `kind` for ids of anything but a
 * file
 */
export function parseContentId(text: string): CID {
  if (text.length > maxTextLength) throw new ContentError('id', 'the content id is too long')
  if (text === '') throw new ContentError('id', 'the content id is empty')
  let cid: CID
  try {
    cid = /^Qm/.test(text) ? CID.parse(text) : CID.parse(text, bases)
  } catch (cause) {
    throw new ContentError('id', `${text} is not a content id`, { cause })
  }
  return supported(cid)
}

/** @throws ContentError `id` for unsupported hashes, `kind` for unsupported codecs */
export function supported(cid: CID): CID {
  const { code, digest } = cid.multihash
  if (code === identityCode) {
    if (digest.length > maxInlineBytes) {
      throw new ContentError(
        'id',
        `a content id may contain at most ${maxInlineBytes} bytes of data`,
      )
    }
  } else if (!hashes.has(code)) {
    throw new ContentError('id', `the content id ${cid} does not use sha2-256 or sha2-512`)
  } else if (hashes.get(code)?.bytes !== digest.length) {
    throw new ContentError('id', `the content id ${cid} has a truncated hash`)
  }
  if (cid.code !== rawCodec && cid.code !== dagPbCodec) {
    const kind = otherCodecs.get(cid.code) ?? `data with codec 0x${cid.code.toString(16)}`
    throw new ContentError('kind', `the content id ${cid} names ${kind}, which is not a file`)
  }
  return cid
}

/** The key of a block, the same for any version and base of the id; usable as a file name. */
export const keyOf = (cid: CID): string => cid.toV1().toString()

/** The content id of bytes as one raw block: version 1, sha2-256. */
export const contentIdOf = (bytes: Uint8Array): string => blockId(rawCodec, bytes).toString()

/** The content id of a block: version 1, sha2-256. */
export function blockId(codec: number, block: Uint8Array): CID {
  const digest = createHash('sha256').update(block).digest()
  return CID.createV1(codec, createDigest(sha256Code, digest))
}

/** The block within an identity id, undefined for other ids. */
export function inlineBlock(cid: CID): Uint8Array | undefined {
  return cid.multihash.code === identityCode ? cid.multihash.digest : undefined
}

/** Hashes a block incrementally, with the function of its id. */
export function blockHash(cid: CID): { add(chunk: Uint8Array): void; matches(): boolean } {
  const name = hashes.get(cid.multihash.code)?.name
  if (name === undefined) throw new ContentError('id', `the content id ${cid} has no hash`)
  const hash: Hash = createHash(name)
  return {
    add: (chunk) => void hash.update(chunk),
    matches: () => Buffer.compare(hash.digest(), cid.multihash.digest) === 0,
  }
}

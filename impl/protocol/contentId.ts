import { type Static, Type } from '@sinclair/typebox'
import { base16, base16upper } from 'multiformats/bases/base16'
import { base32, base32upper } from 'multiformats/bases/base32'
import { base36, base36upper } from 'multiformats/bases/base36'
import { base58btc } from 'multiformats/bases/base58'
import { base64url } from 'multiformats/bases/base64'
import { CID } from 'multiformats/cid'

/** Longer than any content id of a 64-byte hash in one of the bases below. */
const longestContentId = 256

/** Schema keyword for content ids; validators call `isContentId` for it. */
export const contentIdKeyword = 'x-content-id'

/** An IPFS content id, version 0 or 1 (sections 2.6 and 4.2). */
export const ContentId = Type.String({
  maxLength: longestContentId,
  description: 'an IPFS content id (CIDv0 or CIDv1)',
  [contentIdKeyword]: true,
})
export type ContentId = Static<typeof ContentId>

const bases = base32.decoder
  .or(base58btc.decoder)
  .or(base36.decoder)
  .or(base16.decoder)
  .or(base64url.decoder)
  .or(base32upper.decoder)
  .or(base36upper.decoder)
  .or(base16upper.decoder)

/** Whether a text is a content id of any codec and hash; the content need not exist. */
export function isContentId(text: string): boolean {
  if (text.length > longestContentId) return false
  try {
    const cid = text.startsWith('Qm') ? CID.parse(text) : CID.parse(text, bases)
    // An empty hash identifies nothing.
    return cid.multihash.digest.length > 0
  } catch {
    return false
  }
}

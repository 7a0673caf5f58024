import type { CID } from 'multiformats/cid'
import { formatBytes } from './contentError.ts'
import { blockHash } from './contentId.ts'

/** Why a source's answer cannot be used; the message reads on after the name of the source. */
export class BadBlock extends Error {
  readonly reason: 'other' | 'size'

  constructor(reason: BadBlock['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * A block from the pieces in which it comes. It is hashed piece by piece, so that a large one does
 * not hold the event loop, and nothing is kept beyond the bound.
 *
 * @param maxBytes bytes that are read at most
 * @throws BadBlock when there are more, or they are not those that the id names
 */
export async function collectBlock(
  cid: CID,
  pieces: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> {
  const hash = blockHash(cid)
  const kept: Uint8Array[] = []
  let size = 0
  for await (const piece of pieces) {
    size += piece.length
    if (size > maxBytes) throw new BadBlock('size', `answered more than ${formatBytes(maxBytes)}`)
    hash.add(piece)
    kept.push(piece)
  }
  if (!hash.matches()) throw new BadBlock('other', 'answered bytes that do not match')
  const [only] = kept
  return kept.length === 1 && only ? only : Buffer.concat(kept, size)
}

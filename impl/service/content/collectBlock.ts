import type { CID } from 'multiformats/cid'
import { AppError } from 'polgate-lib/errors/appError.ts'
import { formatBytes } from './contentError.ts'
import { blockHash } from './contentId.ts'

/** Why a source's answer cannot be used; the message reads on after the name of the source. */
export class BadBlock extends AppError<{ code: 'other' | 'size' }> {
  constructor(code: BadBlock['code'], message: string) {
    super(message, { code })
  }
}

/**
 * A block from the pieces in which it comes. Hashed and put together piece by piece, a large one does
 * not hold the event loop, and nothing is kept beyond the bound.
 *
 * @param limits `maxBytes`: what is read at most; `expected`: how large it is said to be, if anybody
 *   said so, which need not be true
 * @throws BadBlock when there are more bytes, or they are not those that the id names
 */
export async function collectBlock(
  cid: CID,
  pieces: AsyncIterable<Uint8Array>,
  limits: { readonly maxBytes: number; readonly expected?: number | undefined },
): Promise<Uint8Array> {
  const { maxBytes, expected = 0 } = limits
  if (expected > maxBytes) throw tooLarge(maxBytes)
  const hash = blockHash(cid)
  const kept: Uint8Array[] = []
  let whole: Buffer | undefined
  let filled = 0
  let size = 0
  for await (const piece of pieces) {
    if (piece.length === 0) continue
    const at = size
    size += piece.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    hash.add(piece)
    if (size === expected && at === 0) kept.push(piece)
    else if (size <= expected) {
      whole ??= Buffer.allocUnsafeSlow(expected)
      whole.set(piece, at)
      filled = size
    } else kept.push(piece)
  }
  if (!hash.matches()) throw new BadBlock('other', 'answered bytes that do not match')
  const parts = whole === undefined ? kept : [whole.subarray(0, filled), ...kept]
  const [only] = parts
  return parts.length === 1 && only ? only : Buffer.concat(parts)
}

const tooLarge = (maxBytes: number) =>
  new BadBlock('size', `answered more than ${formatBytes(maxBytes)}`)

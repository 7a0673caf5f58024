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
 * Joins a block from its pieces. It is hashed and joined piece by piece, so that a large one does
 * not block the event loop, and nothing beyond the limit is stored.
 *
 * @param limits `maxBytes`: maximum size; `expected`: the declared size, if any, which may be wrong
 * @throws BadBlock when it is larger, or its bytes do not match the id
 */
export async function collectBlock(
  cid: CID,
  pieces: AsyncIterable<Uint8Array>,
  limits: { readonly maxBytes: number; readonly expected?: number | undefined },
): Promise<Uint8Array> {
  const { maxBytes, expected = 0 } = limits
  if (expected > maxBytes) throw tooLarge(maxBytes)
  const hash = blockHash(cid)
  const pieceList: Uint8Array[] = []
  let whole: Buffer | undefined
  let filled = 0
  let size = 0
  for await (const piece of pieces) {
    if (piece.length === 0) continue
    const at = size
    size += piece.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    hash.add(piece)
    if (size === expected && at === 0) pieceList.push(piece)
    else if (size <= expected) {
      whole ??= Buffer.allocUnsafeSlow(expected)
      whole.set(piece, at)
      filled = size
    } else pieceList.push(piece)
  }
  if (!hash.matches()) throw new BadBlock('other', 'returned bytes that do not match the id')
  const parts = whole === undefined ? pieceList : [whole.subarray(0, filled), ...pieceList]
  const [only] = parts
  return parts.length === 1 && only ? only : Buffer.concat(parts)
}

const tooLarge = (maxBytes: number) =>
  new BadBlock('size', `returned more than ${formatBytes(maxBytes)}`)

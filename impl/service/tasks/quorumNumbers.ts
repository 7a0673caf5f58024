import type { Data } from 'polgate-protocol/scalars.ts'
import { invalidFormat } from 'polgate-protocol/serviceError.ts'

/** Decision T6. */
export const defaultQuorum = { numbers: '0x00', threshold: 67 } as const

/**
 * Quorum numbers as sent (decision E4: `0x` optional), one byte a quorum, strictly ascending as the
 * contract wants them.
 *
 * @throws ServiceError -32602
 */
export function parseQuorumNumbers(sent: string | null | undefined): {
  readonly encoded: Data
  readonly numbers: readonly number[]
} {
  const encoded = withPrefix(sent ?? defaultQuorum.numbers)
  const numbers = [...Buffer.from(encoded.slice(2), 'hex')]
  if (numbers.length === 0) throw invalidFormat('quorum_number names no quorum')
  if (numbers.some((number, at) => at > 0 && number <= numbers[at - 1]!)) {
    throw invalidFormat('quorum_number must be strictly ascending')
  }
  return { encoded, numbers }
}

/** Lower-case hex with `0x`, whether or not it was sent with it. */
export const withPrefix = (hex: string): Data =>
  (hex.startsWith('0x') ? hex : `0x${hex}`).toLowerCase() as Data

import type { Data } from 'polgate-protocol/scalars.ts'
import { invalidFormat } from 'polgate-protocol/serviceError.ts'

/** Decision T6. */
export const defaultQuorum = { numbers: '0x00', threshold: 67 } as const

/**
 * Parses quorum numbers (decision E4: `0x` optional): one byte each, strictly ascending as the
 * contract requires.
 *
 * @throws ServiceError -32602
 */
export function parseQuorumNumbers(sent: string | null | undefined): {
  readonly encoded: Data
  readonly numbers: readonly number[]
} {
  const encoded = withPrefix(sent ?? defaultQuorum.numbers)
  const numbers = [...Buffer.from(encoded.slice(2), 'hex')]
  if (numbers.length === 0) throw invalidFormat('quorum_number is empty')
  if (numbers.some((number, at) => at > 0 && number <= numbers[at - 1]!)) {
    throw invalidFormat('quorum_number must be strictly ascending')
  }
  return { encoded, numbers }
}

/** Normalizes to lower-case hex with `0x`. */
export const withPrefix = (hex: string): Data =>
  (hex.startsWith('0x') ? hex : `0x${hex}`).toLowerCase() as Data

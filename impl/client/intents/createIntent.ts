import { InvalidOptionsError } from '../errors/accessErrors.ts'
import type { TaskIntent } from '../generated/rpcTypes.ts'
import type { Hex } from '../hex.ts'

export type CreateIntentOptions = {
  readonly from: Hex
  readonly to: Hex
  /** Wei; default 0. */
  readonly value?: bigint | undefined
  /** Calldata; default none. */
  readonly data?: Hex | undefined
  readonly chainId: number | bigint
  /** Of `data`: the readable signature, such as `transfer(address,uint256)`. */
  readonly functionSignature?: string | undefined
}

const hexOfText = (text: string): Hex =>
  `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`

/**
 * An intent in the form of the wire (section 2.2), from values as JavaScript has them.
 *
 * @throws InvalidOptionsError for a 4-byte selector instead of a signature, and negative numbers
 */
export function createIntent(options: CreateIntentOptions): TaskIntent {
  const { from, to, value = 0n, data = '0x', chainId, functionSignature } = options
  if (value < 0n || BigInt(chainId) < 0n)
    throw new InvalidOptionsError('A number of the intent is negative.', 'Pass wei and a chain id.')
  if (functionSignature?.startsWith('0x'))
    throw new InvalidOptionsError(
      'functionSignature is hex.',
      'Pass the readable signature, such as transfer(address,uint256), not the selector.',
    )
  const signature = functionSignature?.replace(/^function /, '')
  return {
    from,
    to,
    value: `0x${value.toString(16)}`,
    data,
    chain_id: `0x${BigInt(chainId).toString(16)}`,
    function_signature: signature === undefined ? '0x' : hexOfText(signature),
  }
}

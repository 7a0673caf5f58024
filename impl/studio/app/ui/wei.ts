import { formatEther } from 'viem'

/** An amount in ETH: `0.25 ETH`. */
export const etherText = (wei: bigint): string => `${formatEther(wei)} ETH`

/** An amount in wei, with ETH beside it: `250000000000000000 wei (0.25 ETH)`. */
export const weiText = (wei: bigint): string => `${wei} wei (${etherText(wei)})`

/** The wei of a quantity as JSON has it, in decimal or in hex; undefined if it is none. */
export function weiOf(value: unknown): bigint | undefined {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value
  return typeof text === 'string' && /^(0x[0-9a-fA-F]{1,64}|\d{1,78})$/.test(text)
    ? BigInt(text)
    : undefined
}

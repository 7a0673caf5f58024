import { type Address, decodeAbiParameters, type Hex, hexToBytes, hexToNumber } from 'viem'

/**
 * The domain that intents for a policy client are signed under (section 4.2). A member is there when
 * the client's domain has it: EIP-712 leaves absent members out of what is hashed.
 */
export type IntentDomain = {
  readonly name?: string
  readonly version?: string
  readonly chainId?: bigint
  readonly verifyingContract?: Address
  readonly salt?: Hex
}

/** Bits of `fields` of EIP-5267. */
const fieldBits = { name: 1, version: 2, chainId: 4, verifyingContract: 8, salt: 16 } as const
const allFields = 31

/** `eip712Domain()` with the two strings as bytes, so that text that is not UTF-8 is noticed. */
const answer = [
  { name: 'fields', type: 'bytes1' },
  { name: 'name', type: 'bytes' },
  { name: 'version', type: 'bytes' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
  { name: 'extensions', type: 'uint256[]' },
] as const

/**
 * The domain that `eip712Domain()` (EIP-5267) returned, as the client states it: neither the chain id
 * nor the contract is compared with the client's own, because a wallet signs under what is stated.
 * Undefined where there is no domain to sign under: no answer, one that does not decode, text that is
 * not UTF-8, fields that EIP-5267 does not know, or extensions of EIP-712.
 */
export function decodeIntentDomain(encoded: Hex): IntentDomain | undefined {
  try {
    const [bits, name, version, chainId, verifyingContract, salt, extensions] = decodeAbiParameters(
      answer,
      encoded,
    )
    const fields = hexToNumber(bits)
    if (fields > allFields || extensions.length > 0) return undefined
    const has = (field: keyof typeof fieldBits) => (fields & fieldBits[field]) !== 0
    return {
      ...(has('name') && { name: textOf(name) }),
      ...(has('version') && { version: textOf(version) }),
      ...(has('chainId') && { chainId }),
      ...(has('verifyingContract') && { verifyingContract }),
      ...(has('salt') && { salt }),
    }
  } catch {
    return undefined
  }
}

const textOf = (bytes: Hex): string =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(hexToBytes(bytes))

import { type Address, decodeAbiParameters, type Hex, hexToBytes, hexToNumber } from 'viem'

/**
 * The domain under which intents for a policy client are signed (section 4.2). A member is present
 * if the client's domain has it: EIP-712 omits absent members from the hash.
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

/** `eip712Domain()` with both strings as bytes, to detect text that is not UTF-8. */
const answer = [
  { name: 'fields', type: 'bytes1' },
  { name: 'name', type: 'bytes' },
  { name: 'version', type: 'bytes' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
  { name: 'extensions', type: 'uint256[]' },
] as const

/** In bytes. A task reads no longer one (`LONGEST_DOMAIN` of the contract `ContextReader`). */
const longestDomain = 2_048

/**
 * The domain returned by `eip712Domain()` (EIP-5267), as the client states it: chain id and
 * contract are not compared with the client's own, because wallets sign under the stated domain.
 * Undefined if there is no usable domain: no result, one that is too long or does not decode, text that is
 * not UTF-8, fields unknown to EIP-5267, or EIP-712 extensions. Signers and the service share it, so that
 * nothing is signed under a domain that the service reads in another way.
 */
export function decodeIntentDomain(encoded: Hex): IntentDomain | undefined {
  if (encoded.length > 2 + 2 * longestDomain) return undefined
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

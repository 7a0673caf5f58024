import { keccak256 } from 'polgate-chain/keccak256.ts'
import {
  concatHex,
  getTypesForEIP712Domain,
  type Hex,
  hashDomain,
  hashStruct,
  type TypedDataDomain,
  type TypedDataParameter,
} from 'viem'

export type TypedMessage = {
  readonly domain: TypedDataDomain
  readonly types: Readonly<Record<string, readonly TypedDataParameter[]>>
  readonly primaryType: string
  readonly message: object
}

const separators = new Map<string, Hex>()
const maxSeparators = 256

/** Hash of a domain, which repeats: a service has a few. */
function separatorOf(domain: TypedDataDomain): Hex {
  const { name, version, chainId, verifyingContract, salt } = domain
  const members = [name, version, chainId?.toString(), verifyingContract, salt]
  const key = JSON.stringify(members.map((member) => member ?? null))
  const known = separators.get(key)
  if (known !== undefined) return known
  const types = { EIP712Domain: getTypesForEIP712Domain({ domain }) }
  const separator = hashDomain({ domain, types } as Parameters<typeof hashDomain>[0])
  if (separators.size >= maxSeparators) separators.clear()
  separators.set(key, separator)
  return separator
}

/**
 * The EIP-712 digest of a message. The same as `hashTypedData` of viem in half of its time, for
 * messages that are known to have the members of their type.
 */
export function typedDataDigest({ domain, types, primaryType, message }: TypedMessage): Hex {
  const data = message as Record<string, unknown>
  const struct = hashStruct({
    data,
    primaryType,
    types: types as Record<string, TypedDataParameter[]>,
  })
  return keccak256(concatHex(['0x1901', separatorOf(domain), struct]))
}

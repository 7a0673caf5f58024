import type { Address, Hex, TypedDataParameter } from 'viem'
import type { IntentDomain } from './intentDomain.ts'

/** What an intent signature covers (section 4.2). */
export type IntentMessage = {
  readonly from: Address
  readonly to: Address
  /** Wei. */
  readonly value: bigint
  readonly data: Hex
  readonly chainId: bigint
  readonly functionSignature: Hex
}

/** EIP-712 types of the signature of an intent (section 4.2). */
export const intentTypes = {
  Intent: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
    { name: 'chainId', type: 'uint256' },
    { name: 'functionSignature', type: 'bytes' },
  ],
} as const

/** Members of a signing domain in the order of EIP-712. */
export const domainMembers = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
] as const

/** The type of a domain: the members that it has, including an empty version. */
export const domainType = (domain: IntentDomain): TypedDataParameter[] =>
  domainMembers.filter(({ name }) => domain[name] !== undefined)

/**
 * Typed data for `signTypedData` of any wallet, and `hashTypedData`. It lists the type of the domain, from
 * which libraries would omit an empty version if they inferred it.
 */
export const intentTypedData = (message: IntentMessage, domain: IntentDomain) => ({
  domain,
  types: withDomainType(domain),
  primaryType: 'Intent' as const,
  message,
})

/** viem infers the domain's members from its type, which is only known at run time here. */
const withDomainType = (domain: IntentDomain) =>
  ({ ...intentTypes, EIP712Domain: domainType(domain) }) as typeof intentTypes

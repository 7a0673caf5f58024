import type { Hex, TypedDataDomain } from 'viem'

/** The signing domain of the identity registry (decisions K6, K7). */
export const identityDomainOf = (registry: Hex, chainId: number): TypedDataDomain => ({
  name: 'IdentityRegistry',
  version: '1',
  chainId,
  verifyingContract: registry,
})

/** What the owner of an identity signs: the envelope string, as sent (decision K6). */
export const typedEnvelope = (domain: TypedDataDomain, envelope: string) => ({
  domain,
  types: { EncryptedIdentityData: [{ name: 'data', type: 'string' }] } as const,
  primaryType: 'EncryptedIdentityData' as const,
  message: { data: envelope },
})

export type Registration = {
  readonly identityOwner: Hex
  readonly identityDomain: Hex
  readonly dataRefId: string
  readonly deadline: bigint
}

/** What the gateway signs, and the registry on chain verifies (decision K7). */
export const typedRegistration = (domain: TypedDataDomain, message: Registration) => ({
  domain,
  types: {
    registerIdentityData: [
      { name: 'identityOwner', type: 'address' },
      { name: 'identityDomain', type: 'bytes32' },
      { name: 'dataRefId', type: 'string' },
      { name: 'deadline', type: 'uint256' },
    ],
  } as const,
  primaryType: 'registerIdentityData' as const,
  message,
})

export type IdentityLink = {
  readonly identityOwner: Hex
  readonly policyClient: Hex
  readonly clientUser: Hex
  readonly identityDomains: readonly Hex[]
  readonly nonce: bigint
  readonly deadline: bigint
}

/** What the owner of an identity and the user of a client sign (decision C16). */
export const typedLink = (domain: TypedDataDomain, message: IdentityLink) => ({
  domain,
  types: {
    LinkIdentity: [
      { name: 'identityOwner', type: 'address' },
      { name: 'policyClient', type: 'address' },
      { name: 'clientUser', type: 'address' },
      { name: 'identityDomains', type: 'bytes32[]' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  } as const,
  primaryType: 'LinkIdentity' as const,
  message,
})

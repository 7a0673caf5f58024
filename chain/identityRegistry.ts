import type { Address, Hex, PublicClient, TransactionReceipt } from 'viem'
import { identityRegistryAbi } from './artifacts/abis.ts'
import { readContract } from './readContract.ts'
import type { Transactor } from './transactor.ts'

/** The signing domain of an identity registry (decisions K6 and K7). */
export const identityDomainOf = (chainId: number, identityRegistry: Address) => ({
  name: 'IdentityRegistry',
  version: '1',
  chainId,
  verifyingContract: identityRegistry,
})

/** The typed data that an identity owner signs: the envelope as sent (decision K6). */
export const encryptedIdentityData = {
  types: { EncryptedIdentityData: [{ name: 'data', type: 'string' }] },
  primaryType: 'EncryptedIdentityData',
} as const

/** The typed data that a gateway signs, with a lower-case type name (decision K7). */
export const identityRegistration = {
  types: {
    registerIdentityData: [
      { name: 'identityOwner', type: 'address' },
      { name: 'identityDomain', type: 'bytes32' },
      { name: 'dataRefId', type: 'string' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'registerIdentityData',
} as const

/**
 * The typed data of a link, which identity owner and user both sign, each with its own nonce
 * (decision C16). One signature serves both if they are the same account.
 */
export const identityLink = {
  types: {
    LinkIdentity: [
      { name: 'identityOwner', type: 'address' },
      { name: 'policyClient', type: 'address' },
      { name: 'clientUser', type: 'address' },
      { name: 'identityDomains', type: 'bytes32[]' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'LinkIdentity',
} as const

/** A user at a policy client, whose tasks a link is for. */
export type ClientUser = {
  readonly policyClient: Address
  readonly clientUser: Address
}

export type IdentityLinkRequest = ClientUser & {
  readonly identityOwner: Address
  /** 1 to 50, none of them linked for the client and the user. */
  readonly identityDomains: readonly Hex[]
  /** Unix seconds: the last time at which the signatures are valid. */
  readonly deadline: bigint
}

/** The identity of a user at a policy client in one domain. */
export type IdentityLink = {
  readonly identityDomain: Hex
  readonly identityOwner: Address
  /** The reference bound at the block of the read, '' for none. */
  readonly dataRefId: string
}

export type IdentityRegistration = {
  readonly identityOwner: Address
  readonly identityDomain: Hex
  readonly dataRefId: string
  /** Unix seconds: the last time at which the signature is valid. */
  readonly deadline: bigint
}

/**
 * Registers uploaded identity data; the transactor's account must be the owner. @throws
 * ChainWriteError
 */
export function registerIdentityData(
  transactor: Transactor,
  identityRegistry: Address,
  registration: IdentityRegistration & { readonly gatewaySignature: Hex },
): Promise<TransactionReceipt> {
  const { identityOwner, identityDomain, dataRefId, gatewaySignature, deadline } = registration
  return transactor.write({
    address: identityRegistry,
    abi: identityRegistryAbi,
    functionName: 'registerIdentityData',
    args: [identityOwner, identityDomain, dataRefId, gatewaySignature, deadline],
  })
}

/**
 * Sets the gateway whose signatures are accepted; by the registry's owner. @throws ChainWriteError
 */
export async function setIdentityGateway(
  transactor: Transactor,
  identityRegistry: Address,
  gateway: Address,
): Promise<void> {
  await transactor.write({
    address: identityRegistry,
    abi: identityRegistryAbi,
    functionName: 'setGateway',
    args: [gateway],
  })
}

/** The reference last bound to an owner and a domain, '' for none. @throws ChainReadError */
export function readBoundIdentity(
  client: PublicClient,
  identityRegistry: Address,
  { identityOwner, identityDomain }: Pick<IdentityRegistration, 'identityOwner' | 'identityDomain'>,
): Promise<string> {
  return readContract(identityRegistry, () =>
    client.readContract({
      address: identityRegistry,
      abi: identityRegistryAbi,
      functionName: 'dataRefIdOf',
      args: [identityOwner, identityDomain],
    }),
  )
}

/** The nonce of the next link that an account signs. @throws ChainReadError */
export function readLinkNonce(
  client: PublicClient,
  identityRegistry: Address,
  account: Address,
): Promise<bigint> {
  return readContract(identityRegistry, () =>
    client.readContract({
      address: identityRegistry,
      abi: identityRegistryAbi,
      functionName: 'linkNonces',
      args: [account],
    }),
  )
}

/**
 * Links identities of an owner to a user at a policy client; any account may send it (decision C16).
 *
 * @throws ChainWriteError
 */
export function linkIdentity(
  transactor: Transactor,
  identityRegistry: Address,
  link: IdentityLinkRequest & {
    readonly ownerSignature: Hex
    /** Not read if owner and user are the same account. */
    readonly userSignature: Hex
  },
): Promise<TransactionReceipt> {
  const { identityOwner, policyClient, clientUser, identityDomains, deadline } = link
  const { ownerSignature, userSignature } = link
  return transactor.write({
    address: identityRegistry,
    abi: identityRegistryAbi,
    functionName: 'linkIdentity',
    args: [
      ...([identityOwner, policyClient, clientUser, identityDomains, deadline] as const),
      ...([ownerSignature, userSignature] as const),
    ],
  })
}

/**
 * Ends links; the transactor's account is the user, or the identity owner of each. Links that it
 * signed before and that nobody sent become invalid too. A domain that is not linked is no error.
 *
 * @throws ChainWriteError
 */
export function revokeLinks(
  transactor: Transactor,
  identityRegistry: Address,
  {
    policyClient,
    clientUser,
    identityDomains,
  }: ClientUser & Pick<IdentityLinkRequest, 'identityDomains'>,
): Promise<TransactionReceipt> {
  return transactor.write({
    address: identityRegistry,
    abi: identityRegistryAbi,
    functionName: 'revokeLinks',
    args: [policyClient, clientUser, identityDomains],
  })
}

/**
 * The identities of a user at a policy client, at most 50, in no certain order.
 *
 * @param blockNumber default: the latest
 * @throws ChainReadError
 */
export function readIdentityLinks(
  client: PublicClient,
  identityRegistry: Address,
  {
    policyClient,
    clientUser,
    blockNumber,
  }: ClientUser & { readonly blockNumber?: bigint | undefined },
): Promise<readonly IdentityLink[]> {
  return readContract(identityRegistry, () =>
    client.readContract({
      address: identityRegistry,
      abi: identityRegistryAbi,
      functionName: 'linksOf',
      args: [policyClient, clientUser],
      ...(blockNumber === undefined ? {} : { blockNumber }),
    }),
  )
}

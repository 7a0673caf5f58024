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

import type { Address, Hex, PublicClient, TransactionReceipt } from 'viem'
import { confidentialDataRegistryAbi } from './artifacts/abis.ts'
import { readContract } from './readContract.ts'
import type { Transactor } from './transactor.ts'

/** What a provider grants a policy client: its data of one domain. */
export type DataAccess = {
  readonly client: Address
  /** 32 bytes. */
  readonly domain: Hex
}

/** Where policies of a client read data of a type. */
export type SourceChoice = DataAccess & {
  readonly dataType: string
  readonly provider: Address
}

/** A source of a policy client as of a block. */
export type ConfidentialSource = Omit<SourceChoice, 'client'> & {
  /** 0 if the provider has published none of this type; then `dataRefId` is ''. */
  readonly version: number
  readonly dataRefId: string
  /** The provider is registered with this type, and its grant is in force. */
  readonly granted: boolean
}

/** Adds a provider; the transactor's account must own the registry. @throws ChainWriteError */
export async function registerProvider(
  transactor: Transactor,
  confidentialDataRegistry: Address,
  /** `dataType`: the type of its data, 1 to 64 bytes. */
  { provider, dataType }: { readonly provider: Address; readonly dataType: string },
): Promise<void> {
  await transactor.write({
    address: confidentialDataRegistry,
    abi: confidentialDataRegistryAbi,
    functionName: 'registerProvider',
    args: [provider, dataType],
  })
}

/**
 * Removes a provider, which ends what it published and granted; by the registry's owner or the
 * provider.
 *
 * @throws ChainWriteError
 */
export async function removeProvider(
  transactor: Transactor,
  confidentialDataRegistry: Address,
  provider: Address,
): Promise<void> {
  await transactor.write({
    address: confidentialDataRegistry,
    abi: confidentialDataRegistryAbi,
    functionName: 'removeProvider',
    args: [provider],
  })
}

/**
 * The current data type of a provider; undefined if it is not a provider. @throws ChainReadError
 */
export async function readProviderDataType(
  client: PublicClient,
  confidentialDataRegistry: Address,
  provider: Address,
): Promise<string | undefined> {
  const dataType = await readContract(confidentialDataRegistry, () =>
    client.readContract({
      address: confidentialDataRegistry,
      abi: confidentialDataRegistryAbi,
      functionName: 'providerDataType',
      args: [provider],
    }),
  )
  return dataType === '' ? undefined : dataType
}

/**
 * Publishes uploaded data as the provider's latest for a domain; the transactor's account is the
 * provider. Its version, which is one more than that before, is in the event `DataPublished`.
 *
 * @throws ChainWriteError
 */
export function publishData(
  transactor: Transactor,
  confidentialDataRegistry: Address,
  /** `dataRefId`: 1 to 128 bytes. */
  { domain, dataRefId }: { readonly domain: Hex; readonly dataRefId: string },
): Promise<TransactionReceipt> {
  return transactor.write({
    address: confidentialDataRegistry,
    abi: confidentialDataRegistryAbi,
    functionName: 'publish',
    args: [domain, dataRefId],
  })
}

/** Grants a policy client a domain of the transactor's account. @throws ChainWriteError */
export function grantAccess(
  transactor: Transactor,
  confidentialDataRegistry: Address,
  { client, domain }: DataAccess,
): Promise<TransactionReceipt> {
  return transactor.write({
    address: confidentialDataRegistry,
    abi: confidentialDataRegistryAbi,
    functionName: 'grant',
    args: [client, domain],
  })
}

/** Revokes a grant of the transactor's account. @throws ChainWriteError */
export function revokeAccess(
  transactor: Transactor,
  confidentialDataRegistry: Address,
  { client, domain }: DataAccess,
): Promise<TransactionReceipt> {
  return transactor.write({
    address: confidentialDataRegistry,
    abi: confidentialDataRegistryAbi,
    functionName: 'revoke',
    args: [client, domain],
  })
}

/**
 * Sets the source of a type, at most 8 for a client; the transactor's account must own the policy
 * client, and the provider must be registered with the type.
 *
 * @throws ChainWriteError
 */
export function setSource(
  transactor: Transactor,
  confidentialDataRegistry: Address,
  { client, dataType, provider, domain }: SourceChoice,
): Promise<TransactionReceipt> {
  return transactor.write({
    address: confidentialDataRegistry,
    abi: confidentialDataRegistryAbi,
    functionName: 'setSource',
    args: [client, dataType, provider, domain],
  })
}

/** Removes the source of a type; by the owner of the policy client. @throws ChainWriteError */
export function removeSource(
  transactor: Transactor,
  confidentialDataRegistry: Address,
  { client, dataType }: Pick<SourceChoice, 'client' | 'dataType'>,
): Promise<TransactionReceipt> {
  return transactor.write({
    address: confidentialDataRegistry,
    abi: confidentialDataRegistryAbi,
    functionName: 'removeSource',
    args: [client, dataType],
  })
}

/**
 * The sources of confidential data of a policy client, at most 8 and one for each type, in no
 * certain order.
 *
 * @param blockNumber default: the latest
 * @throws ChainReadError
 */
export function readConfidentialSources(
  client: PublicClient,
  confidentialDataRegistry: Address,
  {
    policyClient,
    blockNumber,
  }: { readonly policyClient: Address; readonly blockNumber?: bigint | undefined },
): Promise<readonly ConfidentialSource[]> {
  return readContract(confidentialDataRegistry, () =>
    client.readContract({
      address: confidentialDataRegistry,
      abi: confidentialDataRegistryAbi,
      functionName: 'sourcesOf',
      args: [policyClient],
      ...(blockNumber === undefined ? {} : { blockNumber }),
    }),
  )
}

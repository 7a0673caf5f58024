import type { TransactionReceipt } from 'viem'
import { readContract } from 'viem/actions'
import { contractErrorOf } from '../chain/contractErrorOf.ts'
import { type SendingOptions, sendCall } from '../chain/sendCall.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import { InvalidOptionsError } from '../errors/accessErrors.ts'
import { confidentialDataRegistryAbi } from '../generated/contractAbis.ts'
import type { Hex } from '../hex.ts'
import { type ChainReader, readerOf } from '../intents/readerOf.ts'
import { checkAddress, checkDomain } from './checks.ts'

/** The account of `walletClient` owns the policy client. */
export type RemoveConfidentialSourceOptions = SendingOptions & {
  readonly confidentialDataRegistry: Hex
  readonly policyClient: Hex
  /** Such as `blacklist` or `allowlist`: 1 to 64 bytes of UTF-8. */
  readonly dataType: string
}

export type SetConfidentialSourceOptions = RemoveConfidentialSourceOptions & {
  /** Registered with this data type. */
  readonly provider: Hex
  /** 32 bytes. */
  readonly domain: Hex
}

/**
 * Chooses whose data of a type the policy of a client reads; one provider for each of at most eight types. Without
 * this choice a provider could put a list of its own under the policy of others.
 *
 * @throws InvalidOptionsError; ContractError, with the custom error
 */
export function setConfidentialSource(
  options: SetConfidentialSourceOptions,
): Promise<TransactionReceipt> {
  const provider = checkAddress('provider', options.provider)
  const domain = checkDomain('domain', options.domain)
  return change('setSource', options, [provider, domain])
}

/**
 * Removes the source of a type: evaluations that need it fail from then on.
 *
 * @throws InvalidOptionsError; ContractError, with the custom error
 */
export const removeConfidentialSource = (options: RemoveConfidentialSourceOptions) =>
  change('removeSource', options, [])

function change(
  functionName: 'setSource' | 'removeSource',
  options: RemoveConfidentialSourceOptions,
  others: readonly Hex[],
): Promise<TransactionReceipt> {
  const { confidentialDataRegistry: address, dataType } = options
  const policyClient = checkAddress('policyClient', options.policyClient)
  const size = new TextEncoder().encode(dataType).length
  if (size === 0 || size > 64)
    throw new InvalidOptionsError(
      'dataType does not have 1 to 64 bytes.',
      'Pass the type that the provider is registered with, such as blacklist.',
    )
  const args = [policyClient, dataType, ...others]
  return sendCall(options, { address, abi: confidentialDataRegistryAbi, functionName, args }, [
    `Policy client: ${policyClient}`,
    `Data type: ${dataType}`,
  ])
}

export type ConfidentialSourcesOptions = {
  readonly confidentialDataRegistry: Hex
  readonly policyClient: Hex
  /** Default: the first RPC URL of the client's chain. */
  readonly publicClient?: ChainReader | undefined
}

/** Whose data of a type the policy of a client reads. */
export type ConfidentialSource = {
  readonly dataType: string
  readonly provider: Hex
  readonly domain: Hex
  /** The latest; 0 if none is published. */
  readonly version: number
  /** Undefined if none is published. */
  readonly dataRefId: Hex | undefined
  /** Whether the provider is registered with this type and grants the data. If not, evaluations that need it fail. */
  readonly granted: boolean
}

/**
 * The sources of a policy client, as the latest block has them.
 *
 * @throws InvalidOptionsError; ContractError if the chain cannot be read
 */
export async function confidentialSources(
  client: Pick<BaseClient, 'chain'>,
  { confidentialDataRegistry, publicClient, ...rest }: ConfidentialSourcesOptions,
): Promise<readonly ConfidentialSource[]> {
  const policyClient = checkAddress('policyClient', rest.policyClient)
  const read = await readContract(readerOf(client, publicClient), {
    address: confidentialDataRegistry,
    abi: confidentialDataRegistryAbi,
    functionName: 'sourcesOf',
    args: [policyClient],
  }).catch((error: unknown) => {
    const metaMessages = [`Confidential-data registry: ${confidentialDataRegistry}`]
    throw contractErrorOf(error, { metaMessages })
  })
  return read.map(({ dataType, provider, domain, version, dataRefId, granted }) => ({
    ...{ dataType, provider, domain, version, granted },
    dataRefId: dataRefId === '' ? undefined : (dataRefId as Hex),
  }))
}

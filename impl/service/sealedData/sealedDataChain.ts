import { readProviderDataType } from 'polgate-chain/confidentialDataRegistry.ts'
import { isContractSignature } from 'polgate-chain/contractSignature.ts'
import { createJoinedReads } from 'polgate-chain/joinedReads.ts'
import { readContract } from 'polgate-chain/readContract.ts'
import type { Address, Bytes32, Data } from 'polgate-protocol/scalars.ts'
import { type PublicClient, zeroAddress } from 'viem'
import { boundedReads } from './boundedReads.ts'
import { noRegistry } from './sealedDataErrors.ts'

/**
 * Chain time in Unix seconds: the timestamp of the latest block, or of the pending block if the
 * node has one and it is later. A chain that mines on demand may have mined its last block long
 * ago, and validates the next transaction by the time of the next block.
 *
 * @throws ChainReadError
 */
function readChainTime(client: PublicClient): Promise<number> {
  const timeOf = async (blockTag: 'latest' | 'pending') =>
    Number((await client.getBlock({ blockTag })).timestamp)
  return readContract(zeroAddress, async () => {
    // Not every node has a pending block.
    const underWay = timeOf('pending').catch(() => 0)
    return Math.max(await timeOf('latest'), await underWay)
  })
}

/** The chain access of sealed data. Reads reject with `ChainReadError` (section 7.3). */
export type SealedDataChain = {
  readonly chainId: number
  /**
   * Unix seconds by the chain's clock (decision T18), against which a registration is validated.
   */
  now(): Promise<number>
  /** The registry of identity data. @throws ServiceError -32616 without a registry */
  identityRegistry(): Address
  /**
   * The current data type of a provider on chain, undefined if it is not registered.
   *
   * @throws ServiceError -32616 without a registry
   */
  providerDataType(provider: Address): Promise<string | undefined>
  /** Whether an account is a contract that accepts the signature (ERC-1271). */
  isContractSignature(claim: {
    readonly account: Address
    readonly digest: Bytes32
    readonly signature: Data
  }): Promise<boolean>
}

export type SealedDataChainOptions = {
  readonly client: PublicClient
  readonly chainId: number
  /** Absent: uploads are rejected. */
  readonly identityRegistry?: Address | undefined
  readonly confidentialDataRegistry?: Address | undefined
}

/** The implementation with viem, with bounded concurrency; concurrent calls share reads. */
export function sealedDataChain(options: SealedDataChainOptions): SealedDataChain {
  const { client, chainId } = options
  // Configured addresses may have any case; viem would validate it as a checksum.
  const identityRegistry = options.identityRegistry?.toLowerCase() as Address | undefined
  const confidentialDataRegistry = options.confidentialDataRegistry?.toLowerCase() as
    | Address
    | undefined
  const read = boundedReads()
  const join = createJoinedReads()
  return {
    chainId,
    now: () => join('time', () => read(() => readChainTime(client))),
    identityRegistry() {
      if (identityRegistry === undefined) throw noRegistry('identity')
      return identityRegistry
    },
    async providerDataType(provider) {
      if (confidentialDataRegistry === undefined) throw noRegistry('confidential-data')
      return await join(provider, () =>
        read(() => readProviderDataType(client, confidentialDataRegistry, provider)),
      )
    },
    isContractSignature: (claim) => read(() => isContractSignature(client, claim)),
  }
}

import { readChainTime } from 'polgate-chain/chainTime.ts'
import { readProviderDataType } from 'polgate-chain/confidentialDataRegistry.ts'
import { isContractSignature } from 'polgate-chain/contractSignature.ts'
import type { Address, Bytes32, Data } from 'polgate-protocol/scalars.ts'
import type { PublicClient } from 'viem'
import { boundedReads } from './boundedReads.ts'
import { noRegistry } from './sealedDataErrors.ts'

/** What sealed data wants of the chain. Reads reject with `ChainReadError` (section 7.3). */
export type SealedDataChain = {
  readonly chainId: number
  /**
   * Unix seconds by the chain's clock (decision T18): what a registration sent now is judged by.
   */
  now(): Promise<number>
  /** Where identity data is registered. @throws ServiceError -32616 where there is no registry */
  identityRegistry(): Address
  /**
   * The type of a provider's data as the chain has it now, undefined for none.
   *
   * @throws ServiceError -32616 where there is no registry
   */
  providerDataType(provider: Address): Promise<string | undefined>
  /** Whether an account is a contract that takes the signature for its own (ERC-1271). */
  isContractSignature(claim: {
    readonly account: Address
    readonly digest: Bytes32
    readonly signature: Data
  }): Promise<boolean>
}

export type SealedDataChainOptions = {
  readonly client: PublicClient
  readonly chainId: number
  /** Absent: uploads are refused. */
  readonly identityRegistry?: Address | undefined
  readonly confidentialDataRegistry?: Address | undefined
}

/** The chain as viem reaches it, with a bound on what is asked of it at once. */
export const sealedDataChain = (options: SealedDataChainOptions): SealedDataChain => {
  const { client, chainId } = options
  // A configuration may write addresses in any letter case, which viem takes for wrong checksums.
  const identityRegistry = options.identityRegistry?.toLowerCase() as Address | undefined
  const confidentialDataRegistry = options.confidentialDataRegistry?.toLowerCase() as
    | Address
    | undefined
  const read = boundedReads()
  return {
    chainId,
    now: () => read(() => readChainTime(client)),
    identityRegistry() {
      if (identityRegistry === undefined) throw noRegistry('identity')
      return identityRegistry
    },
    async providerDataType(provider) {
      if (confidentialDataRegistry === undefined) throw noRegistry('confidential-data')
      return read(() => readProviderDataType(client, confidentialDataRegistry, provider))
    },
    isContractSignature: (claim) => read(() => isContractSignature(client, claim)),
  }
}

import {
  type ConfidentialSource,
  readConfidentialSources,
} from 'polgate-chain/confidentialDataRegistry.ts'
import {
  type ClientUser,
  type IdentityLink,
  readIdentityLinks,
} from 'polgate-chain/identityRegistry.ts'
import { createJoinedReads } from 'polgate-chain/joinedReads.ts'
import { readContract } from 'polgate-chain/readContract.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { type PublicClient, zeroAddress } from 'viem'
import { asDisagreement, type ChainView, createChainView } from '../operators/chainView.ts'
import { privateDataFailed } from '../operators/operatorErrors.ts'

type Block = number | 'latest'

/**
 * What an operator's node says about the data that a task may open. Reads reject with
 * `ServiceError` -32616 like those of `ChainView`.
 */
export type GrantChain = {
  readonly chainId: number
  readonly maxBlocksBehind: number
  readonly contextAt: ChainView['contextAt']
  latestBlock(): Promise<number>
  identityLinks(of: ClientUser, block: Block): Promise<readonly IdentityLink[]>
  confidentialSources(policyClient: Address, block: Block): Promise<readonly ConfidentialSource[]>
}

export type GrantChainOptions = {
  readonly client: PublicClient
  readonly chainId: number
  readonly taskManager: Address
  readonly identityRegistry: Address | undefined
  readonly confidentialDataRegistry: Address | undefined
  /** How many blocks before the latest a task's reference block may be. */
  readonly maxBlocksBehind: number
}

/** The implementation with viem. Concurrent callers share a read that is not sent yet. */
export function createGrantChain(options: GrantChainOptions): GrantChain {
  const { client, chainId, maxBlocksBehind } = options
  const view = createChainView(options)
  const join = createJoinedReads()
  const asked = <T>(key: string, read: () => Promise<T>): Promise<T> =>
    join(key, read).catch((error: unknown) => {
      throw asDisagreement(error)
    })
  const at = (block: Block) => (block === 'latest' ? {} : { blockNumber: BigInt(block) })

  return {
    chainId,
    maxBlocksBehind,
    contextAt: view.contextAt,
    latestBlock: () =>
      asked('latest', () =>
        readContract(zeroAddress, async () => Number(await client.getBlockNumber())),
      ),
    async identityLinks({ policyClient, clientUser }, block) {
      const registry = registryOf(options.identityRegistry, 'identity')
      return await asked(`identity ${policyClient} ${clientUser} ${block}`, () =>
        readIdentityLinks(client, registry, { policyClient, clientUser, ...at(block) }),
      )
    },
    async confidentialSources(policyClient, block) {
      const registry = registryOf(options.confidentialDataRegistry, 'confidential-data')
      return await asked(`confidential ${policyClient} ${block}`, () =>
        readConfidentialSources(client, registry, { policyClient, ...at(block) }),
      )
    },
  }
}

/** Configured addresses may have any case; viem would validate it as a checksum. */
function registryOf(address: Address | undefined, kind: string): Address {
  if (address === undefined) throw privateDataFailed(`this operator has no ${kind} registry`, false)
  return address.toLowerCase() as Address
}

import { policyAbi, sampleClientAbi } from 'polgate-chain/artifacts/abis.ts'
import { createChainClient } from 'polgate-chain/client.ts'
import { ChainReadError } from 'polgate-chain/errors.ts'
import { readContract } from 'polgate-chain/readContract.ts'
import { type PolicyDataContext, readPolicyData } from 'polgate-chain/reads.ts'
import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import { zeroAddress } from 'viem'
import { createPolicyHistory, type PolicyHistory } from './policyHistory.ts'

/** What a policy contract says of itself. */
export type PolicyOnChain = {
  readonly owner: Address | null
  readonly entrypoint: string
  readonly policyCid: string
  readonly schemaCid: string
  readonly metadataCid: string
  readonly version: string
  readonly policyData: readonly Address[]
}

/** What a client says of its policy now; undefined where its contract does not say it. */
export type ClientOnChain = {
  readonly policyAddress: Address | undefined
  readonly policyId: Bytes32 | undefined
  readonly owner: Address | null
}

/** Reads of policies and clients on the chain of the stack. */
export type PolicyChain = {
  readonly history: PolicyHistory
  /** In the order of the addresses. */
  clients(addresses: readonly Address[]): Promise<readonly ClientOnChain[]>
  /** @throws ChainReadError */
  policy(address: Address): Promise<PolicyOnChain>
  /** @throws ChainReadError */
  source(address: Address): Promise<PolicyDataContext>
}

/** @param startBlock where the chain of the stack begins */
export function createPolicyChain(rpcUrl: string, startBlock: number): PolicyChain {
  const client = createChainClient({ rpcUrl })
  return {
    history: createPolicyHistory(client, startBlock),

    async clients(addresses) {
      const reads = ['getPolicyAddress', 'getPolicyId', 'getOwner'] as const
      const answers = await client.multicall({
        deployless: true,
        contracts: addresses.flatMap((address) =>
          reads.map((functionName) => ({ address, abi: sampleClientAbi, functionName }) as const),
        ),
      })
      return addresses.map((_, at) => {
        const [policy, id, owner] = answers
          .slice(3 * at, 3 * at + 3)
          .map(({ result }) => result as Address | undefined)
        return {
          policyAddress: policy && lower(policy),
          policyId: id as Bytes32 | undefined,
          owner: ownerOf(owner),
        }
      })
    },

    async policy(address) {
      const call = { address, abi: policyAbi } as const
      // A node that does not answer throws; what is no policy has answers missing.
      const answers = await readContract(address, () =>
        client.multicall({
          deployless: true,
          contracts: [
            { ...call, functionName: 'getOwner' },
            { ...call, functionName: 'getEntrypoint' },
            { ...call, functionName: 'getPolicyCid' },
            { ...call, functionName: 'getSchemaCid' },
            { ...call, functionName: 'getMetadataCid' },
            { ...call, functionName: 'version' },
            { ...call, functionName: 'getPolicyData' },
          ],
        }),
      )
      const [owner, entrypoint, policyCid, schemaCid, metadataCid, version, policyData] = answers
      const value = <T>(answer: { readonly result?: T | undefined }): T => {
        if (answer.result !== undefined) return answer.result
        throw new ChainReadError('no-contract', `${address} is not a policy contract`, {
          hint: 'Check that the address is that of a policy, on this chain.',
        })
      }
      return {
        owner: ownerOf(value(owner)),
        entrypoint: value(entrypoint),
        policyCid: value(policyCid),
        schemaCid: value(schemaCid),
        metadataCid: value(metadataCid),
        version: value(version),
        policyData: value(policyData).map(lower),
      }
    },

    source: (policyData) => readPolicyData({ client, policyData }),
  }
}

const ownerOf = (address: Address | undefined): Address | null =>
  address === undefined || address === zeroAddress ? null : lower(address)

const lower = <T extends string>(text: T): T => text.toLowerCase() as T

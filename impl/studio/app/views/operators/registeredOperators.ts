import { operatorRegistryAbi } from 'polgate-chain/artifacts/abis.ts'
import type { OperatorReport } from 'polgate-protocol/control/operators.ts'
import type { Address } from 'viem'
import { chainClient } from '../../data/chain.ts'

/**
 * The operators of quorum 0 as the chain has them: all that is known of the operators of a gateway
 * that is no local stack.
 *
 * @throws ApiError, and errors of viem
 */
export async function registeredOperators(
  registry: Address,
): Promise<{ readonly operators: readonly Registered[]; readonly total: string }> {
  const client = chainClient()
  const block = await client.getBlockNumber()
  const [operators, quorums] = await client.readContract({
    address: registry,
    abi: operatorRegistryAbi,
    functionName: 'getOperatorSet',
    args: ['0x00', Number(block)],
  })
  return {
    operators: operators.map(({ account, operatorId, stakes }) => ({
      ...{ address: account, id: operatorId },
      stake: String(stakes[0] ?? 0n),
    })),
    total: String(quorums[0]?.totalStake ?? 0n),
  }
}

export type Registered = Pick<OperatorReport, 'address' | 'id'> & { readonly stake: string }

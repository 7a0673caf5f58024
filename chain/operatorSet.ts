import { type Address, decodeFunctionResult, type Hex, type PublicClient } from 'viem'
import { operatorRegistryAbi } from './artifacts/abis.ts'
import { encodeQuorumNumbers } from './operators.ts'
import { readContract } from './readContract.ts'
import type { G1Point, G2Point } from './types.ts'

export type OperatorAtBlock = {
  readonly operatorId: Hex
  readonly account: Address
  readonly pubkeyG1: G1Point
  readonly pubkeyG2: G2Point
  readonly quorumBitmap: bigint
  readonly quorumBitmapIndex: number
  /** By position in `quorumNumbers`; 0 if the operator is not in the quorum. */
  readonly stakes: readonly bigint[]
  readonly stakeIndices: readonly number[]
}

export type QuorumAtBlock = {
  readonly quorumNumber: number
  readonly apk: G1Point
  readonly totalStake: bigint
  readonly apkIndex: number
  readonly totalStakeIndex: number
}

/** The operators at a reference block, with all indexes that a signature check needs. */
export type OperatorSet = {
  readonly referenceBlock: number
  readonly quorumNumbers: readonly number[]
  /** One byte per quorum, as `Task.quorumNumbers`. */
  readonly encodedQuorumNumbers: Hex
  readonly operators: readonly OperatorAtBlock[]
  /** Parallel to `quorumNumbers`. */
  readonly quorums: readonly QuorumAtBlock[]
}

/**
 * Reads the operator set as of `blockNumber`. The registry stores its history, so this reads the
 * latest state and works on nodes without archive data.
 *
 * @throws ChainReadError also for a quorum that does not exist
 */
export async function readOperatorSet(options: {
  readonly client: PublicClient
  readonly operatorRegistry: Address
  readonly quorumNumbers: readonly number[]
  readonly blockNumber: number
}): Promise<OperatorSet> {
  const { client, operatorRegistry, blockNumber } = options
  const quorumNumbers = [...options.quorumNumbers].sort((a, b) => a - b)
  const encodedQuorumNumbers = encodeQuorumNumbers(quorumNumbers)
  const [operators, quorums] = await readContract(operatorRegistry, () =>
    client.readContract({
      address: operatorRegistry,
      abi: operatorRegistryAbi,
      functionName: 'getOperatorSet',
      args: [encodedQuorumNumbers, blockNumber],
    }),
  )
  return { referenceBlock: blockNumber, quorumNumbers, encodedQuorumNumbers, operators, quorums }
}

/**
 * The same from the result of `getOperatorSet` within another contract, for ascending quorum
 * numbers.
 */
export function decodeOperatorSet(
  data: Hex,
  quorumNumbers: readonly number[],
  blockNumber: number,
): OperatorSet {
  const [operators, quorums] = decodeFunctionResult({
    abi: operatorRegistryAbi,
    functionName: 'getOperatorSet',
    data,
  })
  const encodedQuorumNumbers = encodeQuorumNumbers(quorumNumbers)
  return { referenceBlock: blockNumber, quorumNumbers, encodedQuorumNumbers, operators, quorums }
}

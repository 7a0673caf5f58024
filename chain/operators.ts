import {
  type Address,
  encodeAbiParameters,
  type Hex,
  keccak256,
  parseAbiParameters,
  toHex,
} from 'viem'
import { operatorRegistryAbi } from './artifacts/abis.ts'
import type { Transactor } from './transactor.ts'
import type { G1Point, G2Point } from './types.ts'

/** Quorum numbers as the contracts expect them: one byte each, ascending. */
export function encodeQuorumNumbers(quorumNumbers: readonly number[]): Hex {
  return toHex(Uint8Array.from([...quorumNumbers].sort((a, b) => a - b)))
}

/**
 * The message that a BLS key signs for its registration: bound to the registry, the chain and the
 * account.
 */
export function possessionDigest(registration: {
  readonly chainId: number
  readonly operatorRegistry: Address
  readonly account: Address
}): Hex {
  const { chainId, operatorRegistry, account } = registration
  return keccak256(
    encodeAbiParameters(parseAbiParameters('string, uint256, address, address'), [
      'OperatorRegistry proof of possession',
      BigInt(chainId),
      operatorRegistry,
      account,
    ]),
  )
}

export type OperatorRegistration = {
  readonly account: Address
  readonly pubkeyG1: G1Point
  readonly pubkeyG2: G2Point
  /** The signature of `possessionDigest` by the key. */
  readonly possession: G1Point
  /** Stake by quorum number. */
  readonly stakes: Readonly<Record<number, bigint>>
}

/** Registers an operator; the transactor's account must own the registry. @throws ChainWriteError */
export async function registerOperator(
  transactor: Transactor,
  operatorRegistry: Address,
  { account, pubkeyG1, pubkeyG2, possession, stakes }: OperatorRegistration,
): Promise<void> {
  const quorums = Object.keys(stakes).map(Number)
  const quorumNumbers = encodeQuorumNumbers(quorums)
  const ordered = quorums.sort((a, b) => a - b).map((quorum) => stakes[quorum] ?? 0n)
  await transactor.write({
    address: operatorRegistry,
    abi: operatorRegistryAbi,
    functionName: 'registerOperator',
    args: [account, quorumNumbers, ordered, pubkeyG1, pubkeyG2, possession],
  })
}

/**
 * Removes an operator from every quorum; by the registry's owner or the operator. @throws
 * ChainWriteError
 */
export async function deregisterOperator(
  transactor: Transactor,
  operatorRegistry: Address,
  operatorId: Hex,
): Promise<void> {
  await transactor.write({
    address: operatorRegistry,
    abi: operatorRegistryAbi,
    functionName: 'deregisterOperator',
    args: [operatorId],
  })
}

/** Changes an operator's stake in a quorum, from the next block on. @throws ChainWriteError */
export async function updateStake(
  transactor: Transactor,
  operatorRegistry: Address,
  change: { readonly operatorId: Hex; readonly quorumNumber: number; readonly stake: bigint },
): Promise<void> {
  await transactor.write({
    address: operatorRegistry,
    abi: operatorRegistryAbi,
    functionName: 'updateStake',
    args: [change.operatorId, change.quorumNumber, change.stake],
  })
}

/**
 * Proves to the registry that the quorum's present aggregate key in G1 and this one in G2 have the same
 * secret: signatures of the whole quorum are then cheaper to verify (decision C5). By any account; void
 * from the next change of the quorum's operators on.
 *
 * @param proof `apkG2` is the sum of the operators' keys in G2
 * @throws ChainWriteError `AggregateKeyMismatch` for another key
 */
export async function proveAggregateKey(
  transactor: Transactor,
  operatorRegistry: Address,
  { quorumNumber, apkG2 }: { readonly quorumNumber: number; readonly apkG2: G2Point },
): Promise<void> {
  await transactor.write({
    address: operatorRegistry,
    abi: operatorRegistryAbi,
    functionName: 'proveAggregateKey',
    args: [quorumNumber, apkG2],
  })
}

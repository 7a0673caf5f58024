import { devAccount } from 'polgate-chain/accounts.ts'
import { bytecodeOf } from 'polgate-chain/artifact.ts'
import { operatorRegistryAbi } from 'polgate-chain/artifacts/abis.ts'
import { deregisterOperator, registerOperator } from 'polgate-chain/operators.ts'
import { type Address, encodeDeployData, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import type { Attestation } from '../../calldata.ts'
import { responseDigest } from '../../digest.ts'
import { decodeSignatureData, encodeSignatureData } from '../../signatureData.ts'
import type { NonSignerStakesAndSignature } from '../../types.ts'
import { type AttestOptions, attest } from '../attest.ts'
import { simulate } from '../calls.ts'
import { keyOf, testKey, type World } from '../world.ts'
import type { Provocations } from './provocation.ts'

const stranger = devAccount(9).address

/** Simulates a call of the registry by its owner. */
function call(
  world: World,
  functionName:
    | 'deregisterOperator'
    | 'proveAggregateKey'
    | 'registerOperator'
    | 'transferOwnership'
    | 'updateStake',
  args: readonly unknown[],
  from: Address = world.transactor.account.address,
) {
  const data = encodeFunctionData({ abi: operatorRegistryAbi, functionName, args } as never)
  return simulate(world, { from, to: world.protocol.operatorRegistry, data })
}

function registration(world: World, account: Address, keyName: string) {
  const { operatorRegistry } = world.protocol
  const key = testKey(keyName)
  return {
    ...keyOf(key, { chainId: world.transactor.chainId, operatorRegistry, account }),
    account,
  }
}

function register(
  world: World,
  change: Partial<ReturnType<typeof registration>> & { quorums?: Hex; stakes?: bigint[] } = {},
  from?: Address,
) {
  const { quorums = '0x00', stakes = [1n], ...rest } = change
  const entry = { ...registration(world, stranger, 'newcomer'), ...rest }
  const { account, pubkeyG1, pubkeyG2, possession } = entry
  const args = [account, quorums, stakes, pubkeyG1, pubkeyG2, possession]
  return call(world, 'registerOperator', args, from)
}

interface Check extends AttestOptions {
  readonly digest?: Hex
  readonly quorums?: Hex
  readonly block?: number
  readonly checkedThreshold?: number
  readonly change?: (evidence: NonSignerStakesAndSignature) => NonSignerStakesAndSignature
  readonly changeBytes?: (signatureData: Hex) => Hex
}

/** Has the registry verify an honest signature after one change. */
export async function check(world: World, options: Check = {}): Promise<Hex | undefined> {
  const attestation: Attestation = await attest(world, options)
  const { task, response } = attestation
  const evidence = decodeSignatureData(attestation.signatureData)
  const signatureData = encodeSignatureData(options.change?.(evidence) ?? evidence)
  const data = encodeFunctionData({
    abi: operatorRegistryAbi,
    functionName: 'verifySignature',
    args: [
      options.digest ?? responseDigest(response),
      options.quorums ?? task.quorumNumbers,
      options.block ?? task.taskCreatedBlock,
      options.checkedThreshold ?? task.quorumThresholdPercentage,
      options.changeBytes?.(signatureData) ?? signatureData,
    ],
  })
  return simulate(world, { from: stranger, to: world.protocol.operatorRegistry, data })
}

const IDENTITY = { X: 0n, Y: 0n }

async function firstBlockOf(world: World): Promise<number> {
  const [log] = await world.transactor.client.getContractEvents({
    address: world.protocol.operatorRegistry,
    abi: operatorRegistryAbi,
    eventName: 'QuorumCreated',
    fromBlock: 0n,
  })
  return Number(log?.blockNumber)
}

const twice = <T>([first]: readonly T[]): T[] => [first as T, first as T]

export const registryProvocations: Provocations = {
  AccountHasAnotherKey: (world) =>
    register(world, registration(world, devAccount(1).address, 'second key')),
  AggregateKeyMismatch: (world) =>
    call(world, 'proveAggregateKey', [0, world.operators[0]!.key.pubkeyG2], stranger),
  InvalidOperator: (world) => register(world, { pubkeyG1: { X: 0n, Y: 0n } }),
  InvalidPoint: (world) => register(world, { pubkeyG1: { X: 1n, Y: 1n } }),
  InvalidProofOfPossession: (world) =>
    register(world, {
      possession: registration(world, devAccount(8).address, 'newcomer').possession,
    }),
  InvalidSignature: (world) => check(world, { digest: `0x${'11'.repeat(32)}` }),
  async KeyBelongsToAnother(world) {
    const { transactor, protocol } = world
    const leaver = registration(world, devAccount(7).address, 'leaver')
    await registerOperator(transactor, protocol.operatorRegistry, { ...leaver, stakes: { 2: 1n } })
    await deregisterOperator(transactor, protocol.operatorRegistry, testKey('leaver').operatorId)
    return register(world, registration(world, stranger, 'leaver'))
  },
  LengthMismatch: (world) => register(world, { stakes: [1n, 2n] }),
  NoQuorums: (world) => check(world, { quorums: '0x' }),
  // Quorum 2 starts without operators, so the aggregate key of its first blocks is the identity.
  NoSigners: async (world) =>
    check(world, {
      quorums: '0x02',
      block: await firstBlockOf(world),
      checkedThreshold: 0,
      change: (evidence) => ({
        ...evidence,
        quorumApks: [IDENTITY],
        sigma: IDENTITY,
        apkG2: { X: [0n, 0n], Y: [0n, 0n] },
        quorumApkIndices: [0],
        totalStakeIndices: [0],
      }),
    }),
  NonSignerOutsideQuorums: (world) =>
    check(world, {
      quorumNumbers: [1],
      signers: world.operators.slice(1),
      change: (evidence) => ({
        ...evidence,
        nonSignerPubkeys: [world.operators[0]!.key.pubkeyG1],
        nonSignerQuorumBitmapIndices: [0],
      }),
    }),
  NonSignersNotAscending: (world) =>
    check(world, {
      signers: world.operators.slice(0, 3),
      change: (evidence) => ({
        ...evidence,
        nonSignerPubkeys: twice(evidence.nonSignerPubkeys),
        nonSignerQuorumBitmapIndices: twice(evidence.nonSignerQuorumBitmapIndices),
      }),
    }),
  NotInQuorum: (world) => call(world, 'updateStake', [world.operators[0]!.key.operatorId, 1, 5n]),
  NotOwnerNorOperator: (world) =>
    call(world, 'deregisterOperator', [world.operators[0]!.key.operatorId], stranger),
  OperatorAlreadyRegistered: (world) =>
    register(world, registration(world, devAccount(1).address, 'operator 0')),
  OperatorNotRegistered: (world) =>
    call(world, 'deregisterOperator', [testKey('newcomer').operatorId]),
  OwnableInvalidOwner: (world) => call(world, 'transferOwnership', [zeroAddress]),
  OwnableUnauthorizedAccount: (world) => register(world, {}, stranger),
  QuorumApkMismatch: (world) =>
    check(world, {
      change: (evidence) => ({ ...evidence, quorumApks: [world.operators[0]!.key.pubkeyG1] }),
    }),
  QuorumNotReached: (world) => check(world, { signers: world.operators.slice(0, 1) }),
  QuorumsNotAscending: (world) => check(world, { quorums: '0x0100' }),
  ReferenceBlockInFuture: async (world) =>
    check(world, { block: Number(await world.transactor.client.getBlockNumber()) + 1 }),
  SignatureDataNotCanonical: (world) =>
    check(world, { changeBytes: (signatureData) => `${signatureData}00` }),
  TooManyQuorums: (world) =>
    simulate(world, {
      from: stranger,
      data: encodeDeployData({
        abi: operatorRegistryAbi,
        bytecode: bytecodeOf('OperatorRegistry'),
        args: [stranger, 193],
      }),
    }),
  UnknownQuorum: (world) => check(world, { quorums: '0x03' }),
  WrongHistoryIndex: (world) =>
    check(world, { change: (evidence) => ({ ...evidence, totalStakeIndices: [0] }) }),
}

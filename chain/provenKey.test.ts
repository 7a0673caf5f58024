import { sumG1, sumG2 } from 'polgate-service/attestation/sums.ts'
import { attest } from 'polgate-service/attestation/testing/attest.ts'
import { validate } from 'polgate-service/attestation/testing/calls.ts'
import { check } from 'polgate-service/attestation/testing/provocations/registry.ts'
import {
  keyOf,
  startWorld,
  type TestOperator,
  testKey,
  type World,
} from 'polgate-service/attestation/testing/world.ts'
import type { NonSignerStakesAndSignature } from 'polgate-service/attestation/types.ts'
import { createTestClient, type Hex, http } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { devAccount } from './accounts.ts'
import { operatorRegistryAbi } from './artifacts/abis.ts'
import { decodeRevert } from './customErrors.ts'
import {
  deregisterOperator,
  proveAggregateKey,
  registerOperator,
  updateStake,
} from './operators.ts'
import { createTransactor, type Transactor } from './transactor.ts'

/** A world in which quorum 0 has been proven, and quorum 1 has not. */
let world: World
/** Anyone may prove a key. */
let anyone: Transactor
beforeAll(async () => {
  world = await startWorld()
  anyone = await createTransactor({ rpcUrl: world.anvil.url, account: devAccount(8) })
})
afterAll(() => world.stop())

const keyOfAll = (operators: readonly TestOperator[]) =>
  sumG2(operators.map(({ key }) => ({ point: key.pubkeyG2, weight: 1 })))

const prove = (quorumNumber: number, operators: readonly TestOperator[]) =>
  proveAggregateKey(anyone, world.protocol.operatorRegistry, {
    quorumNumber,
    apkG2: keyOfAll(operators),
  })

const isProven = (quorumNumber: number) =>
  world.transactor.client.readContract({
    address: world.protocol.operatorRegistry,
    abi: operatorRegistryAbi,
    functionName: 'isAggregateKeyProven',
    args: [quorumNumber],
  })

const guest = (): TestOperator => ({
  account: devAccount(9).address,
  key: testKey('guest of a proven quorum'),
  stake: 10n,
})

function join({ account, key, stake }: TestOperator) {
  const { operatorRegistry } = world.protocol
  const { chainId } = world.transactor
  const keys = keyOf(key, { chainId, operatorRegistry, account })
  return registerOperator(world.transactor, operatorRegistry, {
    ...keys,
    account,
    stakes: { 0: stake },
  })
}

const leave = ({ key }: TestOperator) =>
  deregisterOperator(world.transactor, world.protocol.operatorRegistry, key.operatorId)

const errorOf = async (options: Parameters<typeof check>[1]) =>
  decodeRevert(await check(world, options).catch((e) => e))?.errorName

/** The evidence without its non-signers. */
const everyoneSigned = (evidence: NonSignerStakesAndSignature) => ({
  ...evidence,
  nonSignerPubkeys: [],
  nonSignerQuorumBitmapIndices: [],
  nonSignerStakeIndices: evidence.quorumApks.map(() => []),
})

/** Runs the writes in order within one block. */
async function inOneBlock(...writes: readonly (() => Promise<unknown>)[]): Promise<void> {
  const node = createTestClient({ mode: 'anvil', transport: http(world.anvil.url) })
  await node.setAutomine(false)
  try {
    const written: Promise<unknown>[] = []
    for (const write of writes) {
      written.push(write())
      await expect
        .poll(async () => Number((await node.getTxpoolStatus()).pending))
        .toBe(written.length)
    }
    await node.mine({ blocks: 1 })
    await Promise.all(written)
  } finally {
    await node.setAutomine(true)
  }
}

it('is of the quorum as it is: a key of fewer, other or no operators proves nothing', async () => {
  const { operators } = world
  const mismatch = { errorName: 'AggregateKeyMismatch' }
  await expect(prove(1, operators)).rejects.toMatchObject(mismatch)
  await expect(prove(1, operators.slice(2))).rejects.toMatchObject(mismatch)
  await expect(prove(1, [guest()])).rejects.toMatchObject(mismatch)
  // Every pairing with the identity is one.
  await expect(prove(1, [])).rejects.toMatchObject(mismatch)
  await expect(prove(2, [])).rejects.toMatchObject(mismatch)
  await expect(prove(3, [])).rejects.toMatchObject({ errorName: 'UnknownQuorum' })
  expect(await Promise.all([0, 1, 2, 3].map(isProven))).toEqual([true, false, false, false])
})

it('makes no signature valid that is not', async () => {
  const { operators } = world
  const other = keyOfAll(operators.slice(1))
  expect(await errorOf({ change: (e) => ({ ...e, apkG2: other }) })).toBe('InvalidSignature')
  const digest: Hex = `0x${'11'.repeat(32)}`
  expect(await errorOf({ digest })).toBe('InvalidSignature')
  const identity = { X: 0n, Y: 0n }
  expect(await errorOf({ change: (e) => ({ ...e, sigma: identity }) })).toBe('InvalidSignature')
  expect(await errorOf({ change: (e) => ({ ...e, sigma: { X: 1n, Y: 1n } }) })).toBe('InvalidPoint')
  // All of the quorum, but not at this block's indices.
  expect(
    await errorOf({ change: (e) => ({ ...e, quorumApkIndices: [e.quorumApkIndices[0]! - 1] }) }),
  ).toBe('WrongHistoryIndex')
  // A signature of some as that of all.
  const some = operators.slice(0, 3)
  const asOfAll = (e: NonSignerStakesAndSignature) => ({
    ...everyoneSigned(e),
    apkG2: keyOfAll(operators),
  })
  expect(await errorOf({ signers: some, change: asOfAll })).toBe('InvalidSignature')
})

it('verifies signatures of a whole quorum and of a part of it, proven or not', async () => {
  const { operators } = world
  for (const quorumNumbers of [[0], [1], [0, 1]]) {
    expect(await validate(world, await attest(world, { quorumNumbers }))).toBe(true)
    const signers = operators.slice(0, 3)
    expect(await validate(world, await attest(world, { quorumNumbers, signers }))).toBe(true)
  }
})

it('lasts through changes of stake, and ends with a change of the operators', async () => {
  const { transactor, protocol, operators } = world
  const { operatorId } = operators[0]!.key
  const change = { operatorId, quorumNumber: 0, stake: 40n }
  await updateStake(transactor, protocol.operatorRegistry, change)
  expect(await isProven(0)).toBe(true)
  expect(await validate(world, await attest(world))).toBe(true)

  await join(guest())
  expect(await isProven(0)).toBe(false)
  const everyone = [...operators, guest()]
  expect(await validate(world, await attest(world, { signers: everyone }))).toBe(true)
  await prove(0, everyone)
  const old = await attest(world, { signers: everyone })
  await leave(guest())
  expect(await isProven(0)).toBe(false)
  expect(await validate(world, old)).toBe(true)
  expect(await validate(world, await attest(world))).toBe(true)
  await prove(0, operators)
  expect(await isProven(0)).toBe(true)
})

it('ends also when the operators change in the block of the proof', async () => {
  const { operators } = world
  await inOneBlock(
    () => prove(0, operators),
    () => join(guest()),
  )
  expect(await isProven(0)).toBe(false)
  // The guest did not sign, and the former key would count its stake.
  const formerly = (e: NonSignerStakesAndSignature) => ({
    ...everyoneSigned(e),
    quorumApks: [sumG1(operators.map(({ key }) => ({ point: key.pubkeyG1, weight: 1 })))],
    apkG2: keyOfAll(operators),
  })
  expect(await errorOf({ change: formerly })).toBe('QuorumApkMismatch')
  await inOneBlock(
    () => leave(guest()),
    () => prove(0, operators),
  )
  expect(await isProven(0)).toBe(true)
  expect(await validate(world, await attest(world))).toBe(true)
})

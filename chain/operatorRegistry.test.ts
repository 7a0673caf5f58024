import fc from 'fast-check'
import { aggregateSignatures } from 'polgate-service/attestation/aggregate.ts'
import { responseDigest } from 'polgate-service/attestation/digest.ts'
import { sumG1 } from 'polgate-service/attestation/sums.ts'
import { attest, prepare } from 'polgate-service/attestation/testing/attest.ts'
import { validate } from 'polgate-service/attestation/testing/calls.ts'
import { check } from 'polgate-service/attestation/testing/provocations/registry.ts'
import {
  keyOf,
  stakes,
  startWorld,
  testKey,
  type World,
} from 'polgate-service/attestation/testing/world.ts'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devAccount } from './accounts.ts'
import { operatorRegistryAbi } from './artifacts/abis.ts'
import { decodeRevert } from './customErrors.ts'
import { deployProtocol } from './deploy.ts'
import { ChainReadError } from './errors.ts'
import { readOperatorSet } from './operatorSet.ts'
import { deregisterOperator, registerOperator, updateStake } from './operators.ts'
import { createTransactor } from './transactor.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const block = async () => Number(await world.transactor.client.getBlockNumber())

const setAt = (blockNumber: number, quorumNumbers: readonly number[] = [0]) =>
  readOperatorSet({
    client: world.transactor.client,
    operatorRegistry: world.protocol.operatorRegistry,
    quorumNumbers,
    blockNumber,
  })

describe('readOperatorSet', () => {
  it('returns keys, stakes and aggregate keys of every quorum', async () => {
    const set = await setAt(await block(), [1, 0])
    expect(set.quorumNumbers).toEqual([0, 1])
    expect(set.encodedQuorumNumbers).toBe('0x0001')
    const byId = new Map(set.operators.map((operator) => [operator.operatorId, operator]))
    expect(byId.size).toBe(4)
    world.operators.forEach(({ key, account, stake }, i) => {
      expect(byId.get(key.operatorId)).toMatchObject({
        account,
        pubkeyG1: key.pubkeyG1,
        pubkeyG2: key.pubkeyG2,
        quorumBitmap: i === 0 ? 1n : 3n,
        stakes: i === 0 ? [stake, 0n] : [stake, stake],
      })
    })
    const keys = world.operators.map(({ key }) => ({ point: key.pubkeyG1, weight: 1 }))
    expect(set.quorums).toMatchObject([
      { quorumNumber: 0, totalStake: 100n, apk: sumG1(keys) },
      { quorumNumber: 1, totalStake: 60n, apk: sumG1(keys.slice(1)) },
    ])
  })

  it('refuses a quorum that does not exist', async () => {
    await expect(setAt(await block(), [9])).rejects.toThrow(ChainReadError)
    await expect(setAt(await block(), [9])).rejects.toThrow('Contract read failed: ')
  })
})

describe('the quorum, as computed by the contract (decision T7)', () => {
  it.each([
    ['exactly the threshold', 70, true],
    ['one percent more than signed', 71, false],
  ])('%s', async (_, threshold, reached) => {
    const signers = world.operators.slice(0, 2)
    const call = validate(world, await attest(world, { signers, threshold }))
    if (reached) expect(await call).toBe(true)
    else expect(decodeRevert(await call.catch((e) => e))?.errorName).toBe('QuorumNotReached')
  })

  it('must be reached in every quorum', async () => {
    const everywhere = { quorumNumbers: [0, 1] }
    const [first, second, third, fourth] = world.operators as Required<World>['operators']
    // 80 of 100 in quorum 0, but 40 of 60 in quorum 1, which does not include the first operator.
    const signers = [first!, second!, fourth!]
    expect(
      await validate(world, await attest(world, { ...everywhere, signers, threshold: 66 })),
    ).toBe(true)
    const error = await validate(
      world,
      await attest(world, { ...everywhere, signers, threshold: 67 }),
    ).catch((e) => e)
    expect(decodeRevert(error)).toEqual({ errorName: 'QuorumNotReached', args: [1, 40n, 60n] })
    expect(
      await validate(world, await attest(world, { ...everywhere, signers: [...signers, third!] })),
    ).toBe(true)
  })

  it('agrees with the aggregation for any signers and any threshold', async () => {
    const { task, response } = await prepare(world)
    const digest = responseDigest(response)
    const operatorSet = await setAt(task.taskCreatedBlock)
    const signatures = world.operators.map(({ key }) => ({
      operatorId: key.operatorId,
      signature: key.sign(digest),
    }))
    await fc.assert(
      fc.asyncProperty(
        fc.subarray([0, 1, 2, 3], { minLength: 1 }),
        fc.integer({ min: 0, max: 100 }),
        async (signing, threshold) => {
          const signed = signing.reduce((sum, i) => sum + stakes[i]!, 0n)
          const aggregation = aggregateSignatures({
            digest,
            operatorSet,
            thresholdPercentage: threshold,
            signatures: signing.map((i) => signatures[i]!),
          })
          expect(aggregation.reached).toBe(signed >= BigInt(threshold))
          const signers = signing.map((i) => world.operators[i]!)
          const verified = await check(world, { signers, checkedThreshold: threshold }).then(
            () => 'verified',
            (error) => decodeRevert(error)?.errorName,
          )
          expect(verified).toBe(aggregation.reached ? 'verified' : 'QuorumNotReached')
        },
      ),
      { numRuns: 30 },
    )
  })
})

describe('history', () => {
  it('keeps an attestation valid at its block through stake changes and departures', async () => {
    const { transactor, protocol, operators } = world
    const { operatorRegistry } = protocol
    const [first, second, third, fourth] = operators
    const before = await block()
    const signers = [first!, second!]
    const old = await attest(world, { signers, threshold: 70 })

    const { operatorId } = first!.key
    await updateStake(transactor, operatorRegistry, { operatorId, quorumNumber: 0, stake: 1n })
    await deregisterOperator(transactor, operatorRegistry, second!.key.operatorId)
    const after = await block()

    expect(await validate(world, old)).toBe(true)
    const again = await attest(world, { signers, threshold: 70, referenceBlock: before })
    expect(await validate(world, again)).toBe(true)
    const tooMuch = await attest(world, { signers, threshold: 71, referenceBlock: before })
    const error = await validate(world, tooMuch).catch((e) => e)
    expect(decodeRevert(error)).toEqual({ errorName: 'QuorumNotReached', args: [0, 70n, 100n] })

    // Now 1 + 20 + 10: the second has left, the first has little stake.
    expect((await setAt(after)).quorums[0]).toMatchObject({ totalStake: 31n })
    expect((await setAt(after)).operators.map((operator) => operator.operatorId)).not.toContain(
      second!.key.operatorId,
    )
    const rest = await attest(world, { signers: [third!, fourth!], threshold: 96 })
    expect(await validate(world, rest)).toBe(true)
    const former = await attest(world, {
      signers: [third!, fourth!],
      threshold: 96,
      referenceBlock: before,
    })
    expect(decodeRevert(await validate(world, former).catch((e) => e))?.errorName).toBe(
      'QuorumNotReached',
    )

    const foreign = { ...rest, task: { ...rest.task, taskCreatedBlock: before } }
    expect(decodeRevert(await validate(world, foreign).catch((e) => e))?.errorName).toBe(
      'TaskIdMismatch',
    )
    expect(
      decodeRevert(
        await check(world, { signers: [third!, fourth!], block: before }).catch((e) => e),
      )?.errorName,
    ).toBe('WrongHistoryIndex')

    await register(second!.account, 'operator 1', { 0: 30n, 1: 30n })
    await updateStake(transactor, operatorRegistry, { operatorId, quorumNumber: 0, stake: 40n })
    expect(await validate(world, await attest(world))).toBe(true)
    expect((await setAt(after)).quorums[0]).toMatchObject({ totalStake: 31n })
  })

  it('lets an operator deregister itself', async () => {
    const account = devAccount(8)
    await register(account.address, 'guest', { 2: 5n })
    const own = await createTransactor({ rpcUrl: world.anvil.url, account })
    const { operatorRegistry } = world.protocol
    const joined = await block()
    await deregisterOperator(own, operatorRegistry, testKey('guest').operatorId)
    expect((await setAt(joined, [2])).quorums[0]).toMatchObject({ totalStake: 5n })
    expect((await setAt(await block(), [2])).quorums[0]).toMatchObject({
      totalStake: 0n,
      apk: { X: 0n, Y: 0n },
    })
    expect((await setAt(await block(), [2])).operators).toEqual([])
  })

  it('refuses a quorum without stake, at any threshold', async () => {
    await register(devAccount(8).address, 'guest', { 2: 0n })
    const guest = { account: devAccount(8).address, key: testKey('guest'), stake: 0n }
    const call = check(world, { quorumNumbers: [2], signers: [guest], threshold: 0 })
    const error = await call.catch((e) => e)
    expect(decodeRevert(error)).toEqual({ errorName: 'QuorumNotReached', args: [2, 0n, 0n] })
  })
})

describe('registration', () => {
  const stranger = devAccount(9).address

  it('requires both halves of one key', async () => {
    const { operatorRegistry } = world.protocol
    const { chainId } = world.transactor
    const keys = keyOf(testKey('mine'), { chainId, operatorRegistry, account: stranger })
    await expect(
      registerOperator(world.transactor, operatorRegistry, {
        ...keys,
        pubkeyG2: testKey('yours').pubkeyG2,
        account: stranger,
        stakes: { 0: 1n },
      }),
    ).rejects.toMatchObject({ errorName: 'InvalidProofOfPossession' })
  })

  it('requires a proof for the half that is counted, not the one that signs', async () => {
    const { operatorRegistry } = world.protocol
    const { chainId } = world.transactor
    const keys = keyOf(testKey('mine'), { chainId, operatorRegistry, account: stranger })
    await expect(
      registerOperator(world.transactor, operatorRegistry, {
        ...keys,
        pubkeyG1: testKey('victim').pubkeyG1,
        account: stranger,
        stakes: { 0: 1n },
      }),
    ).rejects.toMatchObject({ errorName: 'InvalidProofOfPossession' })
  })

  it.each<[string, (registry: Address) => { chainId?: number; operatorRegistry?: Address }]>([
    ['chain', () => ({ chainId: 1 })],
    ['registry', () => ({ operatorRegistry: stranger })],
  ])('requires a proof for this %s', async (_, change) => {
    const { operatorRegistry } = world.protocol
    const { chainId } = world.transactor
    const registration = {
      chainId,
      operatorRegistry,
      account: stranger,
      ...change(operatorRegistry),
    }
    await expect(
      registerOperator(world.transactor, operatorRegistry, {
        ...keyOf(testKey('mine'), registration),
        account: stranger,
        stakes: { 0: 1n },
      }),
    ).rejects.toMatchObject({ errorName: 'InvalidProofOfPossession' })
  })

  it('refuses the zero account', async () => {
    const account: Address = '0x0000000000000000000000000000000000000000'
    await expect(register(account, 'nobody', { 0: 1n })).rejects.toMatchObject({
      errorName: 'InvalidOperator',
    })
  })

  it('creates at most as many quorums as its bitmaps have bits', async () => {
    const { operatorRegistry: address } = await deployProtocol(world.transactor, { quorums: 0 })
    const call = {
      address,
      abi: operatorRegistryAbi,
      functionName: 'createQuorum',
      args: [],
    } as const
    await world.transactor.write(call)
    const count = await world.transactor.client.readContract({
      address,
      abi: operatorRegistryAbi,
      functionName: 'quorumCount',
    })
    expect(count).toBe(1)
  })
})

function register(account: Address, keyName: string, stake: Record<number, bigint>) {
  const { operatorRegistry } = world.protocol
  const { chainId } = world.transactor
  return registerOperator(world.transactor, operatorRegistry, {
    ...keyOf(testKey(keyName), { chainId, operatorRegistry, account }),
    account,
    stakes: stake,
  })
}

import { maxExpireAfter } from 'polgate-protocol/expiryBlock.ts'
import { type Attestation, validateCalldata } from 'polgate-service/attestation/calldata.ts'
import { type AttestOptions, attest } from 'polgate-service/attestation/testing/attest.ts'
import { mineTo } from 'polgate-service/attestation/testing/calls.ts'
import { deny, startWorld, type World } from 'polgate-service/attestation/testing/world.ts'
import { createTestClient, http } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devAccount } from './accounts.ts'
import { createChainClient } from './client.ts'
import { deployPolicy, deployPolicyClient, setPolicy } from './deploy.ts'
import { readSpendRefusals } from './spendability.ts'
import { setTargetAllowed } from './testing/setTargetAllowed.ts'
import type { TaskResponse } from './types.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const refusalsOf = (attestation: Attestation, client = world.transactor.client) =>
  readSpendRefusals({
    client,
    taskManager: world.protocol.taskManager,
    task: attestation.task,
    calldata: validateCalldata(attestation),
  })
const namesOf = async (attestation: Attestation) =>
  (await refusalsOf(attestation)).map(({ revert }) => revert?.errorName)

/** A client without oracles, whose attestations have this lifetime. */
async function clientFor(expireAfter: number) {
  const { transactor, protocol } = world
  const policy = await deployPolicy(transactor, protocol, { entrypoint: 'a.b', policyCid: 'c' })
  return await deployPolicyClient(transactor, protocol, { kind: 'sample', policy, expireAfter })
}

describe('the reasons why the chain would refuse', () => {
  it.each<[string, AttestOptions]>([
    ['that allows', {}],
    ['that denies', { evaluationResult: deny }],
    ['with the minimum of the client', { threshold: 67 }],
  ])('are empty for an attestation %s', async (_, options) => {
    expect(await refusalsOf(await attest(world, options))).toEqual([])
  })

  it.each<[string, AttestOptions, string[]]>([
    ['a threshold below the minimum', { threshold: 66 }, ['ThresholdBelowMinimum']],
    ['no threshold', { threshold: 0 }, ['ThresholdBelowMinimum']],
    ['another quorum', { quorumNumbers: [1] }, ['QuorumMissing']],
    ['an intent for another chain', { intent: { chainId: 1n } }, ['IntentForAnotherChain']],
    [
      'both',
      { threshold: 50, intent: { chainId: 2n ** 256n - 1n } },
      ['ThresholdBelowMinimum', 'IntentForAnotherChain'],
    ],
  ])('is %s', async (_, options, expected) => {
    const signers = options.quorumNumbers === undefined ? world.operators : world.operators.slice(1)
    expect(await namesOf(await attest(world, { signers, ...options }))).toEqual(expected)
  })

  it.each([
    [0, ['AttestationExpired']],
    // Valid in the previous block.
    [1, ['AttestationExpired']],
    [2, []],
    [maxExpireAfter, []],
  ])('are those of the next block: a lifetime of %i blocks', async (expireAfter, expected) => {
    const attestation = await attest(world, { policyClient: await clientFor(expireAfter) })
    expect(await namesOf(attestation)).toEqual(expected)
  })

  it.each<[string, Partial<TaskResponse>]>([
    ['PolicyConfigMismatch', { policyConfig: { policyParams: '0x7b7d', expireAfter: 1_000 } }],
    ['PolicyAddressMismatch', { policyAddress: devAccount(9).address }],
  ])('include what is not that of the client: %s', async (error, lie) => {
    const changeResponse = (response: TaskResponse) => ({ ...response, ...lie })
    expect(await namesOf(await attest(world, { changeResponse }))).toEqual([error])
  })

  it('include a target that the client refuses, until its owner allows it', async () => {
    const { transactor, policy, policyClient } = world
    const attestation = await attest(world, { intent: { to: policy } })
    const [refusal, ...others] = await refusalsOf(attestation)
    expect(others).toEqual([])
    expect(refusal).toEqual({
      revert: { errorName: 'IntentTargetRefused', args: [policy] },
      message: expect.stringContaining('setTargetAllowed'),
    })
    await setTargetAllowed(transactor, policyClient, policy)
    expect(await namesOf(attestation)).toEqual([])
  })

  it('include a reference block that the node has not reached', async () => {
    const node = createTestClient({ mode: 'anvil', transport: http(world.anvil.url) })
    const before = await node.snapshot()
    await node.mine({ blocks: 5 })
    const attestation = await attest(world)
    expect(await namesOf(attestation)).toEqual([])
    await node.revert({ id: before })
    expect(await namesOf(attestation)).toEqual(['ReferenceBlockInFuture'])
  })

  it('include expired data and a changed configuration', async () => {
    const { transactor, protocol, policy } = world
    const given = { kind: 'sample', policy, expireAfter: 1_000 } as const
    const policyClient = await deployPolicyClient(transactor, protocol, given)
    const attestation = await attest(world, { policyClient })
    await mineTo(world, attestation.task.taskCreatedBlock + 48)
    expect(await namesOf(attestation)).toEqual([])
    await mineTo(world, attestation.task.taskCreatedBlock + 49)
    expect(await namesOf(attestation)).toEqual(['PolicyDataExpired'])
    await setPolicy(transactor, policyClient, { policy, policyParams: '{"limit":9}' })
    expect(await namesOf(attestation)).toEqual(['PolicyIdNotCurrent'])
  })

  it('are returned for a client without terms, and for a contract that is not a client', async () => {
    const attestation = await attest(world, { threshold: 10 })
    const task = { ...attestation.task, policyClient: world.policy }
    const refusals = await refusalsOf({ ...attestation, task })
    expect(refusals).toEqual([
      {
        revert: expect.objectContaining({ errorName: 'CallerNotPolicyClient' }),
        message: '',
      },
    ])
  })

  it('rejects if the node is unreachable', async () => {
    const attestation = await attest(world)
    const client = createChainClient({ rpcUrl: 'http://127.0.0.1:1' })
    await expect(refusalsOf(attestation, client)).rejects.toMatchObject({ code: 'unreachable' })
  })
})

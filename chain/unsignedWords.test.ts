import { type Attestation, validateCalldata } from 'polgate-service/attestation/calldata.ts'
import { attest } from 'polgate-service/attestation/testing/attest.ts'
import { accepted, effectsOf } from 'polgate-service/attestation/testing/callOperators.ts'
import { execute, mineTo, refusal, validate } from 'polgate-service/attestation/testing/calls.ts'
import { changedWords } from 'polgate-service/attestation/testing/changedWords.ts'
import { startWorld, type World } from 'polgate-service/attestation/testing/world.ts'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  parseEventLogs,
  stringToHex,
  toFunctionSelector,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devAccount } from './accounts.ts'
import { sampleClientAbi, taskManagerAbi } from './artifacts/abis.ts'
import { deployPolicy, deployPolicyClient } from './deploy.ts'
import { postResponse, postTask } from './tasks.ts'

/**
 * Changes every word of an attestation: it must be refused, or have the effect that a quorum
 * signed, so that no unsigned field can influence the decision unnoticed.
 */
let world: World
let plainClient: Address
beforeAll(async () => {
  world = await startWorld()
  const { transactor, protocol } = world
  const policy = await deployPolicy(transactor, protocol, { entrypoint: 'a.b', policyCid: 'c' })
  plainClient = await deployPolicyClient(transactor, protocol, {
    ...{ kind: 'sample', policy, expireAfter: 20 },
  })
})
afterAll(() => world.stop())

const cases = [
  { posted: false, oracles: false },
  { posted: false, oracles: true },
  { posted: true, oracles: false },
  { posted: true, oracles: true },
] as const
type Case = (typeof cases)[number]

async function attested({ posted, oracles }: Case): Promise<Attestation> {
  const signed = { intentSignature: `0x${'11'.repeat(65)}` } as const
  const wasmArgs: Hex = '0x7b7d'
  const attestation = await attest(world, {
    signers: world.operators.slice(0, 3),
    ...(oracles ? {} : { policyClient: plainClient }),
    // An intent that the client can execute.
    intent: {
      to: world.policyData,
      data: toFunctionSelector('getExpireAfter()'),
      functionSignature: stringToHex('getExpireAfter()'),
    },
    changeTask: (task) => ({ ...task, ...signed, wasmArgs }),
    changeResponse: (response) => {
      const policyData = response.policyTaskData.policyData.map((data) => ({ ...data, wasmArgs }))
      return {
        ...{ ...response, ...signed },
        policyTaskData: { ...response.policyTaskData, policyData },
      } as const
    },
  })
  if (!posted) return attestation
  await postTask(world.transactor, world.protocol.taskManager, attestation.task)
  await postResponse(world.transactor, world.protocol.taskManager, attestation)
  return attestation
}

const executeCalldata = ({ task, response, signatureData }: Attestation): Hex =>
  encodeFunctionData({
    abi: sampleClientAbi,
    functionName: 'executeIntent',
    args: [task, response, signatureData],
  })

/** The call has events, and the same with each word changed, unless it is refused then. */
async function expectSameEffect(call: { from: Address; to: Address }, data: Hex): Promise<void> {
  const [unchanged, ...changed] = await effectsOf(
    world,
    [{ what: 'unchanged', data }, ...changedWords(data)],
    call,
  )
  expect(unchanged).toMatchObject({ what: 'unchanged' })
  const effect = unchanged!.events
  expect(effect).not.toEqual([])
  for (const { what, events } of changed) expect({ what, effect: events }).toEqual({ what, effect })
}

const named = (calls: readonly { readonly what: string }[]) => calls.map(({ what }) => what)

describe.each(cases)('an attestation, posted: $posted, with oracles: $oracles', (given) => {
  it('is spent by its client with the same effect if any word is changed', async () => {
    const attestation = await attested(given)
    const call = { from: attestation.task.policyClient, to: world.protocol.taskManager }
    await expectSameEffect(call, validateCalldata(attestation))
  })

  it('is executed by its sender with the same effect if any word is changed', async () => {
    const attestation = await attested(given)
    const call = { from: world.transactor.account.address, to: attestation.task.policyClient }
    await expectSameEffect(call, executeCalldata(attestation))
  })

  it('is refused from another sender if any word is changed', async () => {
    const attestation = await attested(given)
    const to = attestation.task.policyClient
    const data = executeCalldata(attestation)
    const from = world.transactor.account.address
    expect(await accepted(world, [{ what: 'unchanged', data }], { from, to })).toHaveLength(1)
    const stranger = { from: devAccount(9).address, to }
    expect(named(await accepted(world, changedWords(data), stranger))).toEqual([])
  })

  it('is refused once spent if any word is changed', async () => {
    const attestation = await attested(given)
    await execute(world, attestation)
    const call = { from: attestation.task.policyClient, to: world.protocol.taskManager }
    const calls = changedWords(validateCalldata(attestation))
    expect(named(await accepted(world, calls, call))).toEqual([])
  })

  it('is refused once expired if any word is changed', async () => {
    const attestation = await attested(given)
    await mineTo(world, attestation.task.taskCreatedBlock + 20)
    const call = { from: attestation.task.policyClient, to: world.protocol.taskManager }
    const calls = changedWords(validateCalldata(attestation))
    expect(named(await accepted(world, calls, call))).toEqual([])
  })

  it('cannot be spent after its expiry by moving its reference block', async () => {
    const attestation = await attested(given)
    const { task } = attestation
    await mineTo(world, task.taskCreatedBlock + 20)
    for (const later of [1, 5, 19, 20]) {
      const moved = { ...task, taskCreatedBlock: task.taskCreatedBlock + later }
      expect(await refusal(validate(world, { ...attestation, task: moved }))).toBe('TaskIdMismatch')
    }
  })
})

describe('a posted task', () => {
  const account = () => world.transactor.account.address
  const place = () => ({ from: account(), to: world.protocol.taskManager })

  it('has the client, intent, nonce and reference block of its id if any word is changed', async () => {
    const { task } = await attest(world)
    const data = encodeFunctionData({
      abi: taskManagerAbi,
      functionName: 'createNewTask',
      args: [task],
    })
    for (const { what, events } of await effectsOf(world, changedWords(data), place())) {
      const [event] = parseEventLogs({ abi: taskManagerAbi, logs: events as never })
      const { taskId, policyClient, nonce, taskCreatedBlock, intent } = task
      expect(event, what).toMatchObject({
        eventName: 'NewTaskCreated',
        args: { task: { taskId, policyClient, nonce, taskCreatedBlock, intent } },
      })
    }
  })

  it('accepts only the signed response if any word is changed', async () => {
    const attestation = await attest(world)
    const { task, response, signatureData } = attestation
    await postTask(world.transactor, world.protocol.taskManager, task)
    const data = encodeFunctionData({
      abi: taskManagerAbi,
      functionName: 'respondToTask',
      args: [task, response, signatureData],
    })
    await expectSameEffect(place(), data)
  })

  it('is not voided by its own response if any word is changed', async () => {
    const { task, response, signatureData } = await attested({ posted: true, oracles: true })
    const data = encodeFunctionData({
      abi: taskManagerAbi,
      functionName: 'challengeTask',
      args: [task, response, signatureData],
    })
    const answers = await accepted(world, changedWords(data), place())
    expect(answers.length).toBeGreaterThan(100)
    expect(named(answers.filter(({ returned }) => BigInt(returned) === 1n))).toEqual([])
  })
})

import { encodePacked, type Hex, keccak256, parseEventLogs, type TransactionReceipt } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Attestation } from '../impl/attestation/calldata.ts'
import { responseDigest } from '../impl/attestation/digest.ts'
import { attest } from '../impl/attestation/testing/attest.ts'
import { mineTo, validate } from '../impl/attestation/testing/calls.ts'
import {
  challenge,
  contradict,
  post,
} from '../impl/attestation/testing/provocations/taskManager.ts'
import { startWorld, type World } from '../impl/attestation/testing/world.ts'
import { devAccount } from './accounts.ts'
import { taskManagerAbi } from './artifacts/abis.ts'
import { decodeRevert } from './customErrors.ts'
import { readAttestationState } from './reads.ts'
import { challengeTask, postResponse, postTask } from './tasks.ts'
import { createTransactor } from './transactor.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ expireAfter: 1_000 })
})
afterAll(() => world.stop())

const events = ({ logs }: TransactionReceipt) =>
  parseEventLogs({ abi: taskManagerAbi, logs }).map(({ eventName, args }) => ({ eventName, args }))

const state = ({ task }: Attestation) =>
  readAttestationState(world.transactor.client, world.protocol.taskManager, task.taskId)

describe('posting (decision T10)', () => {
  it('tells of the task and of the response with its certificate', async () => {
    const { transactor, protocol } = world
    const attestation = await attest(world, { signers: world.operators.slice(0, 3) })
    const { task, response } = attestation
    const { taskId, policyClient } = task
    const created = await postTask(transactor, protocol.taskManager, task)
    expect(events(created)).toEqual([
      { eventName: 'NewTaskCreated', args: { taskId, policyClient, task } },
    ])
    expect(await state(attestation)).toMatchObject({ created: true, spent: false })

    const responded = await postResponse(transactor, protocol.taskManager, attestation)
    const { certificate } = await state(attestation)
    expect(certificate).toMatchObject({
      referenceBlock: task.taskCreatedBlock,
      expirationBlock: task.taskCreatedBlock + 1_000,
      respondedBlock: Number(responded.blockNumber),
      responseDigest: responseDigest(response),
      hashOfNonSigners: keccak256(
        encodePacked(
          ['uint32', 'bytes32'],
          [task.taskCreatedBlock, world.operators[3]!.key.operatorId],
        ),
      ),
    })
    expect(events(responded)).toEqual([
      { eventName: 'TaskResponded', args: { taskId, policyClient, response, certificate } },
    ])
    expect(await validate(world, attestation)).toBe(true)
  })

  it('is refused to a response that the quorum did not sign', async () => {
    const { transactor, protocol } = world
    const attestation = await attest(world, { signers: world.operators.slice(0, 1) })
    await postTask(transactor, protocol.taskManager, attestation.task)
    await expect(postResponse(transactor, protocol.taskManager, attestation)).rejects.toMatchObject(
      { errorName: 'QuorumNotReached' },
    )
  })
})

describe('challenge (decision C13)', () => {
  it('of anyone succeeds with a second result of a quorum, and voids the attestation', async () => {
    const first = await post(world)
    const second = await contradict(world, first)
    const challenger = devAccount(7)
    const transactor = await createTransactor({ rpcUrl: world.anvil.url, account: challenger })
    const receipt = await challengeTask(transactor, world.protocol.taskManager, {
      task: first.task,
      evidence: second.response,
      signatureData: second.signatureData,
    })
    const { taskId } = first.task
    expect(events(receipt)).toEqual([
      {
        eventName: 'TaskChallengedSuccessfully',
        args: { taskId, challenger: challenger.address },
      },
    ])
    expect(await state(first)).toMatchObject({ challenged: true, spent: false })
    for (const attestation of [first, second]) {
      const error = await validate(world, attestation).catch((e) => e)
      expect(decodeRevert(error)?.errorName).toBe('AttestationVoid')
    }
  })

  it('counts 100 blocks from the response, the last one included', async () => {
    const first = await post(world)
    const second = await contradict(world, first)
    const { certificate } = await state(first)
    // The challenge itself is mined in the next block.
    await mineTo(world, certificate.respondedBlock + 99)
    expect(events(await challenge(world, first, second))[0]?.eventName).toBe(
      'TaskChallengedSuccessfully',
    )
  })

  it('is recorded as unsuccessful when its evidence does not verify, and changes nothing', async () => {
    const first = await post(world)
    const second = await contradict(world, first)
    const weak = await contradict(world, first, { signers: world.operators.slice(0, 1) })
    const other = await attest(world)
    const unreadable = { ...second, signatureData: '0x1234' as Hex }
    const forged = { ...second, signatureData: first.signatureData }
    for (const evidence of [first, weak, other, unreadable, forged]) {
      const receipt = await challenge(world, first, evidence)
      expect(events(receipt)[0]?.eventName).toBe('TaskChallengedUnsuccessfully')
    }
    expect(await state(first)).toMatchObject({ challenged: false })
    expect(await validate(world, first)).toBe(true)
    expect(events(await challenge(world, first, second))[0]?.eventName).toBe(
      'TaskChallengedSuccessfully',
    )
  })
})

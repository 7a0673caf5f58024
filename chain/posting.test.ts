import type { Attestation } from 'polgate-service/attestation/calldata.ts'
import { responseDigest } from 'polgate-service/attestation/digest.ts'
import { attest } from 'polgate-service/attestation/testing/attest.ts'
import { validate } from 'polgate-service/attestation/testing/calls.ts'
import { stateOf, taskEvents } from 'polgate-service/attestation/testing/taskProgress.ts'
import { startWorld, type World } from 'polgate-service/attestation/testing/world.ts'
import { encodePacked, keccak256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postResponse, postTask } from './tasks.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ expireAfter: 1_000 })
})
afterAll(() => world.stop())

const state = (attestation: Attestation) => stateOf(world, attestation)

describe('posting (decision T10)', () => {
  it('emits the task, and the response with its certificate', async () => {
    const { transactor, protocol } = world
    const attestation = await attest(world, { signers: world.operators.slice(0, 3) })
    const { task, response } = attestation
    const { taskId, policyClient } = task
    const created = await postTask(transactor, protocol.taskManager, task)
    expect(taskEvents(created)).toEqual([
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
    expect(taskEvents(responded)).toEqual([
      { eventName: 'TaskResponded', args: { taskId, policyClient, response, certificate } },
    ])
    expect(await validate(world, attestation)).toBe(true)
  })

  it('refuses a response that the quorum did not sign', async () => {
    const { transactor, protocol } = world
    const attestation = await attest(world, { signers: world.operators.slice(0, 1) })
    await postTask(transactor, protocol.taskManager, attestation.task)
    await expect(postResponse(transactor, protocol.taskManager, attestation)).rejects.toMatchObject(
      { errorName: 'QuorumNotReached' },
    )
  })
})

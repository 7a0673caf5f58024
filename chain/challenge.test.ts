import type { Attestation } from 'polgate-service/attestation/calldata.ts'
import { attest } from 'polgate-service/attestation/testing/attest.ts'
import {
  encodeTaskManager,
  execute,
  mineTo,
  refusal,
  validate,
} from 'polgate-service/attestation/testing/calls.ts'
import {
  challenge,
  contradict,
  post,
} from 'polgate-service/attestation/testing/provocations/taskManager.ts'
import { stateOf, taskEvents } from 'polgate-service/attestation/testing/taskProgress.ts'
import { deny, startWorld, type World } from 'polgate-service/attestation/testing/world.ts'
import { encodeAbiParameters, type Hex, pad } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devAccount } from './accounts.ts'
import { decodeRevert } from './customErrors.ts'
import { deployPolicyClient } from './deploy.ts'
import { challengeTask, postTask } from './tasks.ts'
import { minedReceipt } from './testing/minedReceipt.ts'
import { createTransactor } from './transactor.ts'
import type { TaskResponse } from './types.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ expireAfter: 1_000 })
})
afterAll(() => world.stop())

const state = (attestation: Attestation) => stateOf(world, attestation)

describe('challenge (decision C13)', () => {
  it('by anyone succeeds with a second result of a quorum, and voids the attestation', async () => {
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
    expect(taskEvents(receipt)).toEqual([
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

  it('is possible for 100 blocks from the response, inclusive', async () => {
    const first = await post(world)
    const second = await contradict(world, first)
    const { certificate } = await state(first)
    // The challenge itself is mined in the next block.
    await mineTo(world, certificate.respondedBlock + 99)
    expect(taskEvents(await challenge(world, first, second))[0]?.eventName).toBe(
      'TaskChallengedSuccessfully',
    )
  })

  it('is recorded as unsuccessful if its evidence does not verify, without further effect', async () => {
    const first = await post(world)
    const second = await contradict(world, first)
    const weak = await contradict(world, first, { signers: world.operators.slice(0, 1) })
    const other = await attest(world)
    const unreadable = { ...second, signatureData: '0x1234' as Hex }
    const forged = { ...second, signatureData: first.signatureData }
    for (const evidence of [first, weak, other, unreadable, forged]) {
      const receipt = await challenge(world, first, evidence)
      expect(taskEvents(receipt)[0]?.eventName).toBe('TaskChallengedUnsuccessfully')
    }
    expect(await state(first)).toMatchObject({ challenged: false })
    expect(await validate(world, first)).toBe(true)
    expect(taskEvents(await challenge(world, first, second))[0]?.eventName).toBe(
      'TaskChallengedSuccessfully',
    )
  })

  it('emits task and challenger, also if it is unsuccessful', async () => {
    const first = await post(world)
    const { taskId } = first.task
    const receipt = await challenge(world, first, first)
    expect(taskEvents(receipt)).toEqual([
      {
        eventName: 'TaskChallengedUnsuccessfully',
        args: { taskId, challenger: world.transactor.account.address },
      },
    ])
    const { topics } = receipt.logs[0]!
    // Both are indexed.
    expect(topics.slice(1)).toEqual([
      taskId,
      pad(world.transactor.account.address.toLowerCase() as Hex),
    ])
  })

  it('does not change the certificate, and a second one is refused', async () => {
    const first = await post(world)
    const second = await contradict(world, first)
    const before = await state(first)
    await challenge(world, first, second)
    expect(await state(first)).toEqual({ ...before, challenged: true })
    for (const evidence of [second, first]) {
      await expect(challenge(world, first, evidence)).rejects.toMatchObject({
        errorName: 'AlreadyChallenged',
      })
    }
  })

  it('is refused before the response, and before the task, is posted', async () => {
    const first = await attest(world)
    const second = await contradict(world, first)
    await expect(challenge(world, first, second)).rejects.toMatchObject({
      errorName: 'TaskNotCreated',
    })
    await postTask(world.transactor, world.protocol.taskManager, first.task)
    await expect(challenge(world, first, second)).rejects.toMatchObject({
      errorName: 'TaskNotResponded',
    })
  })

  it('is accepted in the hundredth block, and refused in the next one', async () => {
    const [inTime, late] = [await post(world), await post(world)]
    const evidence = [await contradict(world, inTime), await contradict(world, late)] as const
    const { certificate } = await state(inTime)
    await mineTo(world, certificate.respondedBlock + 99)
    const receipt = await challenge(world, inTime, evidence[0])
    expect(Number(receipt.blockNumber)).toBe(certificate.respondedBlock + 100)
    expect(taskEvents(receipt)[0]?.eventName).toBe('TaskChallengedSuccessfully')
    const responded = (await state(late)).certificate.respondedBlock
    await mineTo(world, responded + 100)
    await expect(challenge(world, late, evidence[1])).rejects.toMatchObject({
      errorName: 'ChallengeWindowClosed',
    })
    expect(await state(late)).toMatchObject({ challenged: false })
  })

  it('is accepted after the attestation has expired or was spent, which it cannot undo', async () => {
    const { transactor, protocol, policy } = world
    const given = { kind: 'sample', policy, expireAfter: 20 } as const
    const policyClient = await deployPolicyClient(transactor, protocol, given)
    const first = await post(world, { policyClient })
    const second = await contradict(world, first, { policyClient })
    await execute(world, first)
    await mineTo(world, first.task.taskCreatedBlock + 40)
    expect(taskEvents(await challenge(world, first, second))[0]?.eventName).toBe(
      'TaskChallengedSuccessfully',
    )
    expect(await state(first)).toMatchObject({ spent: true, challenged: true })
    expect(await refusal(validate(world, first))).toBe('AttestationAlreadySpent')
  })

  it('requires a different result: other data, policy or configuration is not enough', async () => {
    const first = await post(world)
    const { nonce, taskCreatedBlock: referenceBlock } = first.task
    const again = (changeResponse: (response: TaskResponse) => TaskResponse) =>
      attest(world, { nonce, referenceBlock, changeResponse })
    const same = [
      await again((response) => ({
        ...response,
        policyTaskData: {
          ...response.policyTaskData,
          policyData: response.policyTaskData.policyData.map((entry) => ({
            ...entry,
            data: '0x7b20207d' as Hex,
          })),
        },
      })),
      await again((response) => ({ ...response, policyId: `0x${'22'.repeat(32)}` })),
      await again((response) => ({
        ...response,
        policyConfig: { ...response.policyConfig, expireAfter: 7 },
      })),
    ]
    for (const evidence of same) {
      expect(taskEvents(await challenge(world, first, evidence))[0]?.eventName).toBe(
        'TaskChallengedUnsuccessfully',
      )
    }
    // A decision has one encoding: another encoding of the same decision was signed deliberately.
    const text = encodeAbiParameters([{ type: 'string' }], ['true'])
    const evidence = await contradict(world, first, { evaluationResult: text })
    expect(taskEvents(await challenge(world, first, evidence))[0]?.eventName).toBe(
      'TaskChallengedSuccessfully',
    )
  })

  it('rejects evidence of another task, client, chain or threshold', async () => {
    const first = await post(world)
    const strangers = [
      await attest(world, { evaluationResult: deny }),
      await contradict(world, first, { intent: { chainId: 1n } }),
      await contradict(world, first, {
        changeResponse: (response) => ({ ...response, policyClient: world.policy }),
      }),
    ]
    for (const evidence of strangers) {
      expect(taskEvents(await challenge(world, first, evidence))[0]?.eventName).toBe(
        'TaskChallengedUnsuccessfully',
      )
    }
    // The required share of signatures is that of the posted task.
    const few = await contradict(world, first, { signers: world.operators.slice(0, 1) })
    const lowered = { ...first, task: { ...first.task, quorumThresholdPercentage: 1 } }
    await expect(challenge(world, lowered, few)).rejects.toMatchObject({
      errorName: 'TaskDiffersFromPosted',
    })
    expect(await state(first)).toMatchObject({ challenged: false })
  })

  it('cannot be made to fail with too little gas: any accepted amount suffices for valid evidence', async () => {
    const first = await post(world)
    const { task, response, signatureData } = await contradict(world, first)
    const data = encodeTaskManager('challengeTask', [task, response, signatureData])
    const outcome = (gas: bigint) =>
      world.transactor.client
        .call({ account: devAccount(7).address, to: world.protocol.taskManager, data, gas })
        .then(
          ({ data: returned }) => (BigInt(returned!) === 1n ? 'successful' : 'unsuccessful'),
          (error) => decodeRevert(error)?.errorName ?? 'out of gas',
        )
    const outcomes: string[] = []
    for (let gas = 200_000n; gas <= 3_000_000n; gas += 50_000n) outcomes.push(await outcome(gas))
    expect(outcomes).not.toContain('unsuccessful')
    expect(outcomes[0]).not.toBe('successful')
    expect(outcomes.at(-1)).toBe('successful')
  })

  it('is recorded although the evidence names a contract that burns all gas', async () => {
    const first = await post(world)
    const second = await contradict(world, first)
    const { transactor } = world
    const hash = await transactor.client.request({
      method: 'eth_sendTransaction' as never,
      // Its code is one invalid instruction.
      params: [{ from: transactor.account.address, data: '0x600180600b6000396000f3fe' }] as never,
    })
    const { contractAddress } = await minedReceipt(transactor.client, hash as Hex)
    const policyData = second.response.policyTaskData.policyData.map((entry) => ({
      ...entry,
      policyDataAddress: contractAddress!,
    }))
    const policyTaskData = { ...second.response.policyTaskData, policyData }
    const evidence = { ...second, response: { ...second.response, policyTaskData } }
    expect(taskEvents(await challenge(world, first, evidence))[0]?.eventName).toBe(
      'TaskChallengedUnsuccessfully',
    )
    expect(taskEvents(await challenge(world, first, second))[0]?.eventName).toBe(
      'TaskChallengedSuccessfully',
    )
  })
})

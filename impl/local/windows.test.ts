import { devAccount } from 'polgate-chain/accounts.ts'
import { sampleClientAbi, taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import { decodeRevert } from 'polgate-chain/customErrors.ts'
import { readOperatorSet } from 'polgate-chain/operatorSet.ts'
import { readAttestationState } from 'polgate-chain/reads.ts'
import { challengeTask } from 'polgate-chain/tasks.ts'
import { createTransactor, type Transactor } from 'polgate-chain/transactor.ts'
import { aggregateSignatures } from 'polgate-service/attestation/aggregate.ts'
import { blsKey } from 'polgate-service/attestation/bls.ts'
import type { Attestation } from 'polgate-service/attestation/calldata.ts'
import { responseDigest } from 'polgate-service/attestation/digest.ts'
import { type Address, decodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devOperators } from './devKeys.ts'
import type { LocalStack } from './localStack.ts'
import { plainIntent, stackClient } from './testing/stackClient.ts'
import { startTestStack } from './testing/startTestStack.ts'

let stack: LocalStack
let sender: Transactor
beforeAll(async () => {
  stack = await startTestStack()
  sender = await createTransactor({ rpcUrl: stack.chain.url, account: devAccount(1) })
})
afterAll(() => stack.close())

const denied = `0x${'0'.repeat(64)}` as const

/** An attestation as returned by the gateway. */
async function attested(client: string, value: number): Promise<Attestation> {
  const { policyClient } = stack.description.clients[client]!
  const { result } = await stackClient(stack.description).call('createTask', {
    policy_client: policyClient,
    intent: { ...plainIntent(stack.description, value), value: '0x0', data: '0x' },
    wasm_args: `0x${Buffer.from(JSON.stringify({ value })).toString('hex')}`,
    include_validate_calldata: true,
  })
  const { args } = decodeFunctionData({ abi: taskManagerAbi, data: result!.validate_calldata! })
  const [task, response, signatureData] = args as unknown as [
    Attestation['task'],
    Attestation['response'],
    Attestation['signatureData'],
  ]
  return { task, response, signatureData }
}

const state = ({ task }: Attestation) =>
  readAttestationState(sender.client, stack.description.chain.taskManager, task.taskId)

/** Waits until the gateway has posted the response (decision T10). */
async function posted(attestation: Attestation): Promise<number> {
  for (let tries = 0; tries < 400; tries++) {
    const { certificate } = await state(attestation)
    if (certificate.respondedBlock !== 0) return certificate.respondedBlock
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the response was not posted')
}

/** The same operators sign that the task is denied: two results for one task. */
async function contradiction({ task, response }: Attestation) {
  const evidence = { ...response, evaluationResult: denied }
  const digest = responseDigest(evidence)
  const operatorSet = await readOperatorSet({
    client: sender.client,
    operatorRegistry: stack.description.chain.operatorRegistry,
    quorumNumbers: [0],
    blockNumber: task.taskCreatedBlock,
  })
  const aggregation = aggregateSignatures({
    digest,
    operatorSet,
    thresholdPercentage: 67,
    signatures: devOperators.map((operator) => {
      const key = blsKey(Buffer.from(operator.blsKey.slice(2), 'hex'))
      return { operatorId: key.operatorId, signature: key.sign(digest) }
    }),
  })
  if (!aggregation.reached) throw new Error('the quorum was not reached')
  return { task, evidence, signatureData: aggregation.signatureData }
}

const challenge = async (attestation: Attestation) =>
  challengeTask(
    await createTransactor({ rpcUrl: stack.chain.url, account: devAccount(7) }),
    stack.description.chain.taskManager,
    await contradiction(attestation),
  )

async function mineTo(block: number) {
  const missing = block - Number(await sender.client.getBlockNumber())
  if (missing > 0) await stack.mine(missing)
}

/** Spends through the client's contract, as its user would; returns the error's name if refused. */
const spend = ({ task, response, signatureData }: Attestation): Promise<string> =>
  sender
    .write({
      address: task.policyClient as Address,
      abi: sampleClientAbi,
      functionName: 'executeIntent',
      args: [task, response, signatureData],
    })
    .then(
      () => 'spent',
      (error) =>
        decodeRevert(error)?.errorName ?? (error as { errorName?: string }).errorName ?? '',
    )

describe('a posted response', () => {
  it('is void after a challenge, up to the hundredth block', async () => {
    const attestation = await attested('allow-list', 1)
    const respondedBlock = await posted(attestation)
    // The challenge itself is in the next block.
    await mineTo(respondedBlock + 99)
    await challenge(attestation)
    expect(await state(attestation)).toMatchObject({ challenged: true, spent: false })
    expect(await spend(attestation)).toBe('AttestationVoid')
  })

  it('is final if not challenged within 100 blocks', async () => {
    const attestation = await attested('allow-list', 2)
    const respondedBlock = await posted(attestation)
    await mineTo(respondedBlock + 100)
    await expect(challenge(attestation)).rejects.toMatchObject({
      errorName: 'ChallengeWindowClosed',
    })
    expect(await spend(attestation)).toBe('spent')
    expect(await spend(attestation)).toBe('AttestationAlreadySpent')
  })
})

describe('an attestation', () => {
  it('expires exactly at its expiration block', async () => {
    const inTime = await attested('allow-list', 3)
    const late = await attested('allow-list', 4)
    const { taskCreatedBlock } = inTime.task
    const { expireAfter } = inTime.response.policyConfig
    // Posting mines additional blocks.
    await Promise.all([posted(inTime), posted(late)])
    await mineTo(taskCreatedBlock + expireAfter - 2)
    expect(await spend(inTime)).toBe('spent')
    await mineTo(late.task.taskCreatedBlock + expireAfter - 1)
    expect(await spend(late)).toBe('AttestationExpired')
  })
})

import { devAccount } from 'polgate-chain/accounts.ts'
import { sampleClientAbi, taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import { decodeRevert } from 'polgate-chain/customErrors.ts'
import { readAttestationState } from 'polgate-chain/reads.ts'
import { challengeTask } from 'polgate-chain/tasks.ts'
import { createTransactor } from 'polgate-chain/transactor.ts'
import { blsKey } from 'polgate-service/attestation/bls.ts'
import type { Attestation } from 'polgate-service/attestation/calldata.ts'
import { responseDigest } from 'polgate-service/attestation/digest.ts'
import type { Operator } from 'polgate-service/operators/operator.ts'
import { taskResponseOf } from 'polgate-service/operators/taskResponse.ts'
import { createService, type Service } from 'polgate-service/service.ts'
import { openStore } from 'polgate-service/store/openStore.ts'
import { decodeFunctionData, encodeAbiParameters, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devApiKeys, devOperators } from './devKeys.ts'
import type { LocalStack } from './localStack.ts'
import { plainIntent, stackClient } from './testing/stackClient.ts'
import { startTestStack } from './testing/startTestStack.ts'

const denied = encodeAbiParameters([{ type: 'bool' }], [false])

/** Signs that the task is denied, whatever the evaluation result. */
const denying = (operator: Operator): Operator => ({
  ...operator,
  async sign({ draft, evaluation }) {
    const { blsKey: secret } = devOperators.find(({ address }) => address === operator.address)!
    const key = blsKey(Buffer.from(secret.slice(2), 'hex'))
    const response = taskResponseOf(draft, evaluation.intent, denied)
    const { X, Y } = key.sign(responseDigest(response))
    const signature = { X: toHex(X), Y: toHex(Y) }
    return { evaluationResult: denied, signature, reasons: [], timings: {} }
  },
})

let stack: LocalStack
/** A second gateway on the same chain, which sends different data to the same operators. */
let other: Service
beforeAll(async () => {
  stack = await startTestStack()
  const store = await openStore()
  await store.apiKeys.create({ ...devApiKeys.rpc, name: 'rpc' })
  const { chain } = stack.config
  other = await createService(
    {
      ...stack.config,
      gateway: { port: 0 },
      admin: undefined,
      chain: { ...chain, postResults: false },
    },
    { store, operator: denying },
  )
})
afterAll(async () => {
  await other?.close()
  await stack?.close()
})

async function attestedBy(gatewayUrl: string): Promise<Attestation> {
  const { description } = stack
  const { result } = await stackClient({ ...description, gatewayUrl }).call('createTask', {
    policy_client: description.clients['allow-list']!.policyClient,
    intent: plainIntent(description, 0),
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

describe('operators that sign two results of one task', () => {
  it('can be challenged by anyone with both results, which voids what they signed', async () => {
    // This gateway posts nothing, so that both have the same block.
    const second = await attestedBy(other.gatewayUrl)
    const first = await attestedBy(stack.description.gatewayUrl)
    expect(second.task).toEqual(first.task)
    expect(second.response.evaluationResult).not.toBe(first.response.evaluationResult)

    const { rpcUrl, taskManager } = stack.description.chain
    const challenger = await createTransactor({ rpcUrl, account: devAccount(7) })
    const state = () => readAttestationState(challenger.client, taskManager, first.task.taskId)
    await expect
      .poll(async () => (await state()).certificate.respondedBlock, { timeout: 20_000 })
      .toBeGreaterThan(0)
    await challengeTask(challenger, taskManager, {
      task: first.task,
      evidence: second.response,
      signatureData: second.signatureData,
    })
    expect(await state()).toMatchObject({ challenged: true, spent: false })

    const sender = await createTransactor({ rpcUrl, account: devAccount(1) })
    for (const { task, response, signatureData } of [first, second]) {
      const spent = sender.write({
        address: task.policyClient,
        abi: sampleClientAbi,
        functionName: 'executeIntent',
        args: [task, response, signatureData],
      })
      const name = await spent.then(
        () => 'spent',
        (error) => decodeRevert(error)?.errorName ?? error.errorName,
      )
      expect(name).toBe('AttestationVoid')
    }
  })
})

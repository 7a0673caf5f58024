import { sampleClientAbi, taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import { createTransactor } from 'polgate-chain/transactor.ts'
import {
  applyOracleData,
  caseIntent,
  encodeWasmArgs,
  signatureOfCase,
} from 'polgate-fixtures/caseIntent.ts'
import { policyFixtures } from 'polgate-fixtures/catalogue.ts'
import type { LocalStack } from 'polgate-local/localStack.ts'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import { startTestStack } from 'polgate-local/testing/startTestStack.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { TaskResult } from 'polgate-protocol/task.ts'
import { createPublicClient, decodeAbiParameters, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let stack: LocalStack
let description: StackDescription
let client: ReturnType<typeof stackClient>

beforeAll(async () => {
  stack = await startTestStack({
    config: (config) => ({
      ...config,
      // A looping oracle computes for as long, of each method; hostile/endless-loop.test.ts has the default.
      oracles: { ...config.oracles, limits: { wallClockMs: 2_000 } },
    }),
  })
  description = stack.description
  client = stackClient(description)
})
afterAll(() => stack.close())

let values = 1_000n
/** A task for the client of a fixture, with a new intent on each call. */
async function createTask(fixture: string, more: Record<string, unknown> = {}) {
  values += 1n
  const { result, error } = await client.call('createTask', {
    policy_client: description.clients[fixture]!.policyClient,
    intent: plainIntent(description, values),
    ...more,
  })
  if (result === undefined) throw new Error(error?.message)
  return result
}
const places = () => ({
  fixture_host: description.fixtureHostUrl,
  token: stack.token,
})

describe('from intent to attestation', () => {
  it('executes an allowed intent on chain, once', async () => {
    const policyClient = description.clients['allow-list']!.policyClient
    const intent = { ...plainIntent(description, 0), value: '0x0' as const }
    const { result } = await client.call('createTask', {
      policy_client: policyClient,
      intent,
      include_validate_calldata: true,
    })
    expect(result).toMatchObject({ status: 'success', error: null })
    const { task, task_response, signature_data, validate_calldata } =
      result as Required<TaskResult>
    const transport = http(description.chain.rpcUrl)
    const chain = createPublicClient({ transport })
    const { taskManager } = description.chain

    const { data } = await chain.call({
      account: policyClient,
      to: taskManager,
      data: validate_calldata,
    })
    expect(decodeAbiParameters([{ type: 'bool' }], data!)).toEqual([true])

    const account = privateKeyToAccount(description.accounts.sender.privateKey)
    const sender = await createTransactor({ rpcUrl: description.chain.rpcUrl, account })
    const execute = () =>
      sender.write({
        address: policyClient,
        abi: sampleClientAbi,
        functionName: 'executeIntent',
        args: [chainTask(task), chainResponse(task_response), signature_data],
      })
    await execute()
    const [, , spent] = await chain.readContract({
      address: taskManager,
      abi: taskManagerAbi,
      functionName: 'getAttestationState',
      args: [task.taskId],
    })
    expect(spent).toBe(true)
    await expect(execute()).rejects.toThrow('AttestationAlreadySpent')
  })

  it('posts the task and its response in the background', async () => {
    const { task_id } = await createTask('priced-transfer', {
      wasm_args: encodeWasmArgs({ symbol: 'ETH' }, {}),
    })
    const chain = createPublicClient({ transport: http(description.chain.rpcUrl) })
    await expect
      .poll(
        async () => {
          const [created, certificate] = await chain.readContract({
            address: description.chain.taskManager,
            abi: taskManagerAbi,
            functionName: 'getAttestationState',
            args: [task_id!],
          })
          return created && certificate.respondedBlock > 0
        },
        { timeout: 60_000 },
      )
      .toBe(true)
  })
})

describe('every case of every fixture, by each method', () => {
  const cases = policyFixtures().flatMap((fixture) =>
    fixture.cases.map((each) => ({ fixture, each, title: `${fixture.name}: ${each.name}` })),
  )
  it.each(cases)('$title', async ({ fixture, each }) => {
    applyOracleData(stack.fixtureHost, each.world)
    const { policyClient, policyData, domain } = description.clients[fixture.name]!
    const { chainId } = description.chain
    const options = { from: description.accounts.sender.address, chainId, places: places() }
    const intent = caseIntent(each, options)
    const signature = await signatureOfCase(fixture, each, {
      ...options,
      domain: { ...domain, chainId, verifyingContract: policyClient },
    })
    const wasm_args = encodeWasmArgs(each.wasmArgs ?? fixture.wasmArgs, places())
    const shared = { intent, ...(signature && { intent_signature: signature }) }

    const created = await client.call('createTask', {
      policy_client: policyClient,
      wasm_args,
      ...shared,
    })
    if (each.error !== undefined) {
      const { status, error, operator_errors } = created.result!
      expect({ status, error }).toEqual({
        status: 'failed',
        error: expect.stringContaining(each.error),
      })
      expect(error!.startsWith(each.error)).toBe(true)
      expect(operator_errors!.length).toBeGreaterThan(1)
      return
    }
    expect(created.result).toMatchObject({ status: 'success' })
    const response = created.result!.task_response!
    const encoded = Buffer.from(response.evaluation_result)
    if (typeof each.result === 'boolean') {
      expect(BigInt(`0x${encoded.toString('hex')}`)).toBe(each.result ? 1n : 0n)
    } else {
      const hex = `0x${encoded.toString('hex')}` as const
      expect(decodeAbiParameters([{ type: 'string' }], hex)).toEqual([each.result])
    }

    const simulated = await client.call('simulateTask', {
      ...shared,
      policy_client: policyClient,
      policy_task_data: response.policy_task_data,
    })
    expect(simulated.result).toMatchObject({
      success: true,
      result: { allow: each.result },
    })
    const { reason } = simulated.result!.result as { reason: string }
    const denials = each.deny.join('; ')
    // Followed by oracle errors, if the policy denied because of them.
    expect(reason.startsWith(denials)).toBe(true)
    expect(reason.slice(denials.length)).toMatch(/^(; oracle [\w]+: .+)*$/)

    const policy = await client.call('simulatePolicy', {
      policy_client: policyClient,
      policy: fixture.source,
      entrypoint: fixture.entrypoint,
      policy_params: JSON.parse(
        fixture.paramsText
          .replaceAll('{fixture_host}', description.fixtureHostUrl)
          .replaceAll('{token}', stack.token),
      ),
      policy_data: policyData.map(({ address }) => ({ policy_data_address: address, wasm_args })),
      ...shared,
    })
    expect(policy.result).toMatchObject({
      success: true,
      evaluation_result: { result: each.result, expire_after: 0 },
    })
    applyOracleData(stack.fixtureHost)
  })
})

type View = Required<TaskResult>
const chainIntent = (intent: View['task']['intent']) => ({
  ...intent,
  value: BigInt(intent.value),
  chainId: BigInt(intent.chainId),
})
const chainTask = (task: View['task']) => ({ ...task, intent: chainIntent(task.intent) })
const chainResponse = (response: View['task_response']) => ({
  taskId: response.task_id,
  policyClient: response.policy_client,
  policyId: response.policy_id,
  policyAddress: response.policy_address,
  intent: chainIntent(response.intent),
  intentSignature: response.intent_signature,
  evaluationResult: `0x${Buffer.from(response.evaluation_result).toString('hex')}` as const,
  policyTaskData: response.policy_task_data,
  policyConfig: response.policy_config,
})

import { sampleClientAbi, taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import { createTransactor } from 'polgate-chain/transactor.ts'
import type { LocalStack } from 'polgate-local/localStack.ts'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import { startTestStack } from 'polgate-local/testing/startTestStack.ts'
import type {
  ExplorerPage,
  ExplorerPolicy,
  TaskDetail,
  TaskSummary,
} from 'polgate-protocol/explorer.ts'
import type { TaskFailureNotification } from 'polgate-protocol/notification.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { TaskResult } from 'polgate-protocol/task.ts'
import type { TaskUpdate } from 'polgate-protocol/taskUpdate.ts'
import { createPublicClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type Receiver, startReceiver } from './webhooks/receiver.fixture.ts'

/**
 * One task as seen in the response, on the WebSocket, in the webhook, on chain and in the explorer.
 */
let stack: LocalStack
let description: StackDescription
let client: ReturnType<typeof stackClient>
let receiver: Receiver
let policyClient: string
const patience = { timeout: 60_000, interval: 50 }

beforeAll(async () => {
  stack = await startTestStack({ secondNetwork: true })
  description = stack.description
  client = stackClient(description)
  policyClient = description.clients['allow-list']!.policyClient
  receiver = await startReceiver()
})
afterAll(async () => {
  await stack?.close()
  await receiver?.close()
})

async function explorer<T>(
  path: string,
  network = 'testnet',
): Promise<{ status: number; body: T }> {
  const response = await fetch(`${description.explorerUrl}/v1${path}`, {
    headers: { 'x-api-key': description.apiKeys.read, 'x-protocol-network': network },
  })
  return { status: response.status, body: (await response.json()) as T }
}

/** The row of a task, once it exists and satisfies `ready`. */
async function rowOf(id: string, ready: (row: TaskDetail) => boolean): Promise<TaskDetail> {
  let row: TaskDetail | undefined
  await expect
    .poll(async () => {
      const { status, body } = await explorer<TaskDetail>(`/task/${id}`)
      row = status === 200 ? body : undefined
      return row !== undefined && ready(row)
    }, patience)
    .toBe(true)
  return row!
}

type Message = {
  readonly type: string
  readonly result?: TaskUpdate | TaskFailureNotification
}

/** All messages sent to a subscriber of the task, up to the last. */
async function listen(topic: string, isLast: (message: Message) => boolean): Promise<Message[]> {
  const socket = new WebSocket(`${description.gatewayUrl.replace('http', 'ws')}/ws`, {
    headers: { authorization: `Bearer ${description.apiKeys.rpc}` },
  })
  const heard: Message[] = []
  const ended = new Promise<Message[]>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as Message
      heard.push(message)
      if (isLast(message)) resolve(heard)
    })
  })
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send(JSON.stringify({ type: 'subscribe', id: '1', method: topic, params: null }))
  return await ended.finally(() => socket.terminate())
}

async function send(value: number) {
  const { result } = await client.call('sendTask', {
    policy_client: policyClient,
    intent: plainIntent(description, value),
  })
  return result as { task_id: string; subscription_topic: string }
}

const hexOf = (bytes: readonly number[]) => `0x${Buffer.from(bytes).toString('hex')}`
const lower = (value: unknown) => JSON.parse(JSON.stringify(value).toLowerCase())

/** The event of a task on chain, and its block time in the format of the explorer. */
async function onChain(
  eventName: 'NewTaskCreated' | 'TaskResponded' | 'AttestationSpent',
  id: string,
) {
  const chain = createPublicClient({ transport: http(description.chain.rpcUrl) })
  const [event] = await chain.getContractEvents({
    address: description.chain.taskManager,
    abi: taskManagerAbi,
    eventName,
    args: { taskId: id as `0x${string}` },
    fromBlock: 0n,
  })
  const { timestamp } = await chain.getBlock({ blockNumber: event!.blockNumber })
  return {
    args: event!.args,
    block: Number(event!.blockNumber),
    time: new Date(Number(timestamp) * 1000).toISOString(),
    transaction: event!.transactionHash,
  }
}

/** The chain data of a row equals the chain. */
async function expectAsOnChain(row: TaskDetail): Promise<void> {
  const created = await onChain('NewTaskCreated', row.id)
  const responded = await onChain('TaskResponded', row.id)
  expect(row).toMatchObject({
    created_block: (created.args as { task: { taskCreatedBlock: number } }).task.taskCreatedBlock,
    task_created_at: created.time,
    created_txn_hash: created.transaction,
    task_responded_at: responded.time,
    responded_txn_hash: responded.transaction,
    task_responded_metadata: { responded_block: responded.block },
  })
}

/** The result in a row equals the response that the caller received. */
function expectAsAnswered(row: TaskDetail, result: TaskResult): void {
  const { task, task_response } = result as Required<TaskResult>
  const { from, to, value, data, chainId } = task.intent
  expect(row).toMatchObject({
    id: result.task_id,
    network: 'testnet',
    sender_address: from.toLowerCase(),
    policy_client_address: task.policyClient.toLowerCase(),
    policy_id: task_response.policy_id,
    policy_address: task_response.policy_address.toLowerCase(),
    evaluation_result: hexOf(task_response.evaluation_result),
    error: null,
    operator_errors: null,
    challenge_result: 'unchallenged',
    task_responded_metadata: {
      reference_block: result.reference_block,
      expiration_block: result.expiration,
      response_digest: result.aggregation_response?.task_response_digest,
    },
    intent: {
      ...lower({ from, to, value, data }),
      chainId: Number(chainId),
      functionSignature: '0x',
    },
    challenged_txn_hash: null,
    task_challenged_at: null,
  })
  expect(lower(row.policy_config)).toEqual(lower(task_response.policy_config))
  expect(lower(row.policy_task_data)).toEqual(lower(task_response.policy_task_data))
}

describe('a successful task', () => {
  it('is the same in the response, on chain and in the explorer, until it is spent', async () => {
    const intent = { ...plainIntent(description, 0), value: '0x0' as const }
    const { result } = await client.call('createTask', { policy_client: policyClient, intent })
    expect(result).toMatchObject({ status: 'success' })
    const { task, task_response, signature_data } = result as Required<TaskResult>
    const row = await rowOf(result!.task_id!, (each) => each.task_responded_at !== null)
    expectAsAnswered(row, result!)
    await expectAsOnChain(row)
    expect(row).toMatchObject({ attestation_spent_at: null, spent_txn_hash: null })

    const account = privateKeyToAccount(description.accounts.sender.privateKey)
    const sender = await createTransactor({ rpcUrl: description.chain.rpcUrl, account })
    const onChainIntent = {
      ...task.intent,
      value: BigInt(task.intent.value),
      chainId: BigInt(task.intent.chainId),
    }
    const { transactionHash } = await sender.write({
      address: policyClient as `0x${string}`,
      abi: sampleClientAbi,
      functionName: 'executeIntent',
      args: [
        { ...task, intent: onChainIntent },
        {
          taskId: task_response.task_id,
          policyClient: task_response.policy_client,
          policyId: task_response.policy_id,
          policyAddress: task_response.policy_address,
          intent: onChainIntent,
          intentSignature: task_response.intent_signature,
          evaluationResult: hexOf(task_response.evaluation_result) as `0x${string}`,
          policyTaskData: task_response.policy_task_data,
          policyConfig: task_response.policy_config,
        },
        signature_data,
      ],
    })
    const spent = await rowOf(row.id, (each) => each.attestation_spent_at !== null)
    const { time } = await onChain('AttestationSpent', row.id)
    expect(spent).toEqual({
      ...row,
      attestation_spent_at: time,
      spent_txn_hash: transactionHash,
      updated_at: spent.updated_at,
    })
  })

  it('is the same on the WebSocket', async () => {
    const { task_id, subscription_topic } = await send(2)
    const heard = await listen(
      subscription_topic,
      ({ result }) => (result as TaskUpdate)?.event === 'success',
    )
    const update = heard.at(-1)!.result as TaskUpdate
    expect(update.task_id).toBe(task_id)
    const row = await rowOf(task_id, (each) => each.task_responded_at !== null)
    expectAsAnswered(row, update.data.result!)
    await expectAsOnChain(row)
  })
})

describe('a failed task', () => {
  it('is the same in the update, in both notifications and in the explorer', async () => {
    await client.call('registerWebhook', { url: receiver.url })
    for (const operator of stack.operators.slice(0, 2)) await operator.stop()
    const { task_id, subscription_topic } = await send(3)
    const heard = await listen(subscription_topic, ({ type }) => type === 'notification')
    for (const operator of stack.operators.slice(0, 2)) await operator.start()
    const notification = heard.at(-1)!.result as TaskFailureNotification
    const update = heard.at(-2)!.result as TaskUpdate
    await expect.poll(() => receiver.received.length, patience).toBe(1)
    expect(JSON.parse(receiver.received[0]!.body.toString())).toEqual(notification)
    await client.call('unregisterWebhook', {})
    expect(notification).toMatchObject({ task_id, failure_type: 'quorum_not_reached' })

    const row = await rowOf(task_id, () => true)
    const { result } = update.data
    expect(result).toMatchObject({ task_id, error: notification.error_message })
    expect(row).toEqual({
      id: task_id,
      network: 'testnet',
      sender_address: description.accounts.sender.address.toLowerCase(),
      policy_client_address: policyClient.toLowerCase(),
      policy_id: description.clients['allow-list']!.policyId.toLowerCase(),
      policy_address: description.clients['allow-list']!.policyAddress.toLowerCase(),
      evaluation_result: null,
      error: notification.error_message,
      operator_errors: result!.operator_errors,
      created_block: result!.task!.taskCreatedBlock,
      task_created_at: expect.stringMatching(/^20\d\d-.*Z$/),
      task_responded_at: null,
      attestation_spent_at: null,
      task_challenged_at: null,
      challenge_result: null,
      task_responded_metadata: null,
      updated_at: row.updated_at,
      intent: {
        ...lower(plainIntentView(3)),
        chainId: description.chain.chainId,
        functionSignature: '0x',
      },
      policy_config: null,
      policy_task_data: null,
      created_txn_hash: null,
      responded_txn_hash: null,
      challenged_txn_hash: null,
      spent_txn_hash: null,
    })
    expect(row.operator_errors!.length).toBeGreaterThan(1)
  })

  const plainIntentView = (value: number) => {
    const { from, to, value: wei, data } = plainIntent(description, value)
    return { from, to, value: wei, data }
  }
})

describe('lists and counts', () => {
  type Page<T> = { status: number; body: ExplorerPage<T> }
  it('contain every task and policy, and agree', async () => {
    const tasks: Page<TaskSummary> = await explorer('/task?size=100')
    const policies: Page<ExplorerPolicy> = await explorer('/policy?size=100')
    expect(tasks.body.total).toBe(3)
    expect(tasks.body.results.map(({ error }) => error === null)).toEqual([false, true, true])
    const deployed = new Set(
      Object.values(description.clients).map((each) => each.policyAddress.toLowerCase()),
    )
    expect(new Set(policies.body.results.map(({ address }) => address))).toEqual(deployed)
    expect(policies.body.total).toBe(deployed.size)
    expect(await explorer('/stats?task_window_start=1970-01-01')).toEqual({
      status: 200,
      body: { total_tasks: 3, total_policies: deployed.size },
    })
    const { policyId, policyAddress } = description.clients['allow-list']!
    for (const list of [`/policy/id/${policyId}/task`, `/policy/address/${policyAddress}/task`]) {
      const { body }: Page<TaskSummary> = await explorer(list)
      expect(body.results).toEqual(tasks.body.results)
    }
  })

  it('describe a policy as its content does', async () => {
    const { policyAddress } = description.clients['allow-list']!
    let policy: ExplorerPolicy | undefined
    await expect
      .poll(async () => {
        policy = (await explorer<ExplorerPolicy>(`/policy/${policyAddress}`)).body
        return policy.verified
      }, patience)
      .toBe(true)
    expect(policy).toMatchObject({
      address: policyAddress.toLowerCase(),
      network: 'testnet',
      name: 'allow-list',
      policy_info: { entrypoint: 'policy.allow', policy_data: [] },
    })
  })

  it('contain only one network', async () => {
    const there = 'base-sepolia'
    const empty: Page<TaskSummary> = await explorer('/task', there)
    expect(empty.body).toMatchObject({ total: 0, results: [] })
    const here: Page<ExplorerPolicy> = await explorer('/policy?size=100')
    await expect
      .poll(
        async () => ((await explorer('/policy', there)) as Page<ExplorerPolicy>).body.total,
        patience,
      )
      .toBe(here.body.total + 1)
    const theirs: Page<ExplorerPolicy> = await explorer('/policy?size=100', there)
    const [own] = theirs.body.results
    expect(own).toMatchObject({ network: there })
    expect((await explorer(`/policy/${own!.address}`)).status).toBe(404)
    const { body }: Page<TaskSummary> = await explorer('/task?size=1')
    expect((await explorer(`/task/${body.results[0]!.id}`, there)).status).toBe(404)
    expect(description.networks?.[there]?.chainId).toBe(84_532)
  })
})

it('reports indexing progress on the admin listener', async () => {
  const admin = async (path: string) => (await fetch(`${stack.service.adminUrl}${path}`)).text()
  expect(await admin('/readyz')).toBe('ready\n')
  for (const chain of [31_337, 84_532])
    await expect
      .poll(() => admin('/metrics'), patience)
      .toContain(`explorer_indexer_lag_blocks{chain="${chain}"} 0\n`)
  expect(await admin('/metrics')).toContain('explorer_request_seconds_count{route="getTask"')
})

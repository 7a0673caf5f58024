import { taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import type { ExplorerPage, TaskSummary } from 'polgate-protocol/explorer.ts'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresOfTests } from '../store/testing/postgresOfTests.ts'
import { type Receiver, startReceiver } from '../webhooks/receiver.fixture.ts'
import { type Fleet, type Gateway, type IndexerProcess, startFleet } from './fleet.fixture.ts'
import { type Listener, openListener, type ReceivedMessage } from './listener.fixture.ts'

/**
 * Gateways, operators and indexers in separate processes, on one PostgreSQL and one chain; one
 * gateway and one indexer are killed while they work.
 */
const server = await postgresOfTests()
/** For hangs: on an idle machine everything takes half a minute. */
const timeout = 300_000
const patience = { timeout: 240_000, interval: 200 }

type Sent = { readonly id: string; readonly by: 'first' | 'second' }

describe.runIf(server !== undefined)('several processes on one PostgreSQL', { timeout }, () => {
  let fleet: Fleet
  let first: Gateway
  let second: Gateway
  let indexers: IndexerProcess[]
  let receiver: Receiver
  /** On the gateway that is not killed. */
  let listener: Listener
  let onFirst: Listener
  let made = 0
  const sent: Sent[] = []

  const call = (gateway: Gateway) =>
    stackClient({
      gatewayUrl: gateway.ready.gatewayUrl,
      apiKeys: { ...fleet.stack.description.apiKeys, rpc: fleet.main.key },
    }).call
  const task = (client: 'allow-list' | 'trapping-oracle' = 'allow-list') => {
    made += 1
    const { description } = fleet.stack
    return {
      policy_client: description.clients[client]!.policyClient,
      intent: plainIntent(description, made),
    }
  }
  /** Sends a task to one gateway and subscribes to it on the other. */
  const send = async (by: Sent['by'], client?: 'trapping-oracle'): Promise<Sent> => {
    const [gateway, other] = by === 'first' ? [first, listener] : [second, onFirst]
    const { result, error } = await call(gateway)('sendTask', task(client))
    if (result === undefined) throw new Error(JSON.stringify(error))
    expect(await other.subscribe(result.subscription_topic)).toBe('subscribed')
    const one = { id: result.task_id, by }
    sent.push(one)
    return one
  }
  const count = async (where: string): Promise<number> => {
    const [row] = await fleet.store.database.query<{ n: number }>(
      `select count(*)::int8 as n from tasks where ${where}`,
    )
    return row!.n
  }
  const isEnd = ({ type, result }: ReceivedMessage) =>
    type === 'update' && (result.event === 'success' || result.event === 'failure')

  beforeAll(async () => {
    fleet = await startFleet(server!)
    receiver = await startReceiver()
    // The first one started is the one that writes.
    const active = await fleet.startIndexer()
    const started = await Promise.all([
      fleet.startGateway(),
      fleet.startGateway(),
      fleet.startIndexer(),
    ])
    first = started[0]
    second = started[1]
    indexers = [active, started[2]]
    const { key } = fleet.main
    listener = await openListener(second.ready.gatewayUrl, key)
    onFirst = await openListener(first.ready.gatewayUrl, key)
    const { result } = await call(first)('registerWebhook', { url: receiver.url, max_retries: 10 })
    expect(result).toMatchObject({ success: true })
  })
  afterAll(async () => {
    listener?.close()
    onFirst?.close()
    await fleet?.close()
    await receiver?.close()
  })

  it('publish on each gateway the updates of the other, in order, to the end', async () => {
    // A sent task has 30 seconds, and the first one of a process takes longest.
    for (const gateway of [first, second]) {
      const { result } = await call(gateway)('createTask', { ...task(), timeout: 300 })
      expect(result).toMatchObject({ status: 'success' })
    }
    const each = await Promise.all(
      (['first', 'second'] as const).flatMap((by) => [
        ...Array.from({ length: 8 }, () => send(by)),
        ...Array.from({ length: 2 }, () => send(by, 'trapping-oracle')),
      ]),
    )
    for (const { id, by } of each) {
      const other = by === 'first' ? listener : onFirst
      await expect.poll(() => other.of(id).some(isEnd), patience).toBe(true)
      const heard = other.of(id).filter(({ type }) => type === 'update')
      expect(heard.filter(isEnd)).toHaveLength(1)
      expect(isEnd(heard.at(-1)!)).toBe(true)
    }
    const failed = each.filter(({ id, by }) =>
      (by === 'first' ? listener : onFirst)
        .of(id)
        .some((one) => one.type === 'update' && one.result.event === 'failure'),
    )
    expect(failed.length).toBeGreaterThanOrEqual(4)
    expect(failed.length).toBeLessThan(each.length)
    for (const { id, by } of failed) {
      const other = by === 'first' ? listener : onFirst
      await expect.poll(() => other.of(id).at(-1)?.type, patience).toBe('notification')
    }
    // Responses of single operators were received from the gateway that executed the task.
    const phases = each.flatMap(({ id, by }) =>
      (by === 'first' ? listener : onFirst)
        .of(id)
        .map(({ result }) => 'event' in result && result.event),
    )
    expect(phases).toContain('operator_response')
  })

  it('share keys as of the next request', async () => {
    const { apiKeys } = fleet.store
    const other = await apiKeys.create({ name: 'other', permissions: ['rpc'] })
    const statusOf = async ({ ready }: Gateway, key: string) =>
      (
        await fetch(`${ready.gatewayUrl}/rpc`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
          body: '{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}',
        })
      ).status
    const stranger = await openListener(second.ready.gatewayUrl, other.key)
    const { brand } = fleet.stack.description
    expect(await stranger.subscribe(brand.topicPrefix + sent[0]!.id)).toBe('error')
    stranger.close()
    for (const gateway of [first, second]) expect(await statusOf(gateway, other.key)).toBe(200)
    const rotated = await apiKeys.rotate(other.record.id)
    for (const gateway of [first, second]) {
      expect(await statusOf(gateway, other.key)).toBe(401)
      expect(await statusOf(gateway, rotated.key)).toBe(200)
    }
  })

  it('lose and duplicate no task of a killed gateway', async () => {
    fleet.holdOperators(true)
    const orphans = await Promise.all([
      ...Array.from({ length: 8 }, () => send('first')),
      ...Array.from({ length: 2 }, () => send('first', 'trapping-oracle')),
    ])
    const before = await count('true')
    const cut = Array.from({ length: 3 }, () =>
      call(first)('createTask', { ...task(), timeout: 300 }).then(
        () => 'answered',
        () => 'cut off',
      ),
    )
    await expect.poll(() => count('true'), patience).toBe(before + cut.length)
    const unfinished = await fleet.store.database.query<{ id: string; method: string }>(
      'select id, method from tasks where finished_at is null',
    )
    expect(unfinished.length).toBeGreaterThan(orphans.length)
    await first.end('SIGKILL')
    expect(await Promise.all(cut)).toEqual(cut.map(() => 'cut off'))
    fleet.holdOperators(false)

    // The other gateway has work meanwhile.
    await Promise.all(
      Array.from({ length: 4 }, () => call(second)('createTask', { ...task(), timeout: 300 })),
    )
    await expect.poll(() => count('finished_at is null'), patience).toBe(0)
    for (const { id } of orphans)
      await expect.poll(() => listener.of(id).some(isEnd), patience).toBe(true)
    const ends = await fleet.store.database.query<{ method: string; status: string }>(
      'select method, status from tasks where id = any($1)',
      [unfinished.map(({ id }) => id)],
    )
    // Tasks with a waiting caller had an ample timeout.
    const waited = ends.filter(({ method }) => method === 'createTask')
    expect(waited.length).toBeGreaterThanOrEqual(3)
    expect(new Set(waited.map(({ status }) => status))).toEqual(new Set(['success']))
    for (const { id } of orphans) {
      const updates = listener.of(id).filter(({ type }) => type === 'update')
      expect(updates.filter(isEnd)).toHaveLength(1)
      expect(isEnd(updates.at(-1)!)).toBe(true)
      const progress = updates.map((one) => (one.type === 'update' ? one.result.data.progress : 0))
      expect(progress).toEqual([...progress].sort((a, b) => a - b))
    }
  })

  it('continue indexing where a killed indexer stopped', async () => {
    const [active] = indexers
    await active!.end('SIGKILL')
    const { results } = await Promise.all(
      Array.from({ length: 4 }, () => call(second)('createTask', { ...task(), timeout: 300 })),
    ).then((answers) => ({ results: answers.map(({ result }) => result) }))
    for (const result of results) expect(result).toMatchObject({ status: 'success' })
    await expect.poll(() => count(`posting = 'queued'`), patience).toBe(0)

    const chain = createPublicClient({ transport: http(fleet.stack.description.chain.rpcUrl) })
    const eventsOf = async (eventName: 'NewTaskCreated' | 'TaskResponded') => {
      const events = await chain.getContractEvents({
        address: fleet.stack.description.chain.taskManager,
        abi: taskManagerAbi,
        eventName,
        fromBlock: 0n,
      })
      return events.map(({ args, transactionHash }) => ({
        id: (args as { taskId: string }).taskId.toLowerCase(),
        transaction: transactionHash,
      }))
    }
    const rows = await fleet.store.database.query<{
      id: string
      status: string
      nonce: number
      intent: string
      posting: string | null
    }>('select id, status, nonce, intent_hash as intent, posting from tasks')
    const succeeded = rows.filter(({ status }) => status === 'success')
    const created = await eventsOf('NewTaskCreated')
    const responded = await eventsOf('TaskResponded')
    // One row, one nonce, one posting, one response: nothing twice, nothing missing.
    expect(new Set(rows.map(({ intent }) => intent)).size).toBe(rows.length)
    expect(rows.every(({ nonce }) => nonce === 0)).toBe(true)
    expect(new Set(succeeded.map(({ posting }) => posting))).toEqual(new Set(['posted']))
    const ids = succeeded.map(({ id }) => id).sort()
    expect(created.map(({ id }) => id).sort()).toEqual(ids)
    expect(responded.map(({ id }) => id).sort()).toEqual(ids)

    let listed: readonly TaskSummary[] = []
    const isComplete = async () => {
      const response = await fetch(`${second.ready.explorerUrl}/v1/task?size=100`, {
        headers: { 'x-api-key': fleet.main.key, 'x-protocol-network': 'testnet' },
      })
      listed = ((await response.json()) as ExplorerPage<TaskSummary>).results
      const answered = listed.filter((each) => each.task_responded_at !== null)
      return [listed.length, answered.length]
    }
    await expect.poll(isComplete, patience).toEqual([rows.length, ids.length])
    expect(listed.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id).sort())
    const answered = listed.filter((each) => each.task_responded_at !== null)
    expect(answered.map(({ id }) => id).sort()).toEqual(ids)
    for (const { id, error } of listed) expect(error === null).toBe(ids.includes(id))
  })

  it('deliver every notification at least once, always with the same key', async () => {
    const notifications = await fleet.store.database.query<{ id: string; task: string }>(
      'select id, task_id as task from notifications',
    )
    const failed = await count(`status <> 'success'`)
    expect(notifications).toHaveLength(failed)
    expect(failed).toBeGreaterThanOrEqual(6)
    const keys = () => new Set(receiver.received.map((one) => one.headers['x-idempotency-key']))
    await expect.poll(() => keys().size, patience).toBe(notifications.length)
    expect(keys()).toEqual(new Set(notifications.map(({ id }) => id)))
    for (const { headers, body } of receiver.received) {
      const { notification_id } = JSON.parse(String(body)) as { notification_id: string }
      expect(headers['x-idempotency-key']).toBe(notification_id)
    }
  })

  it('shut down on a signal, and never log the database URL', async () => {
    const left = [second, indexers[1]!]
    expect(await Promise.all(left.map((one) => one.end('SIGTERM')))).toEqual([0, 0])
    const password = new URL(server!).password
    for (const one of [first, ...indexers, second])
      if (password !== '') expect(one.complaints()).not.toContain(password)
  })
})

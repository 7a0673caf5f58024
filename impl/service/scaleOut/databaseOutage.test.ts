import { setTimeout as pause } from 'node:timers/promises'
import { devAccount } from 'polgate-chain/accounts.ts'
import { taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import { plainIntent } from 'polgate-local/testing/stackClient.ts'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openServer } from '../store/server.ts'
import { type RunningPostgres, startPostgres } from '../store/testing/postgresServer.ts'
import { type Fleet, type Gateway, type IndexerProcess, startFleet } from './fleet.fixture.ts'

/**
 * A gateway and an indexer in separate processes, on a PostgreSQL server that drops connections,
 * crashes and is unavailable for seconds while tasks, secrets, webhooks and keys are stored.
 */
const canCrash = process.platform !== 'win32' && (process.env.SVC_TEST_POSTGRES_URL ?? '') === ''
const patience = { timeout: 240_000, interval: 50 }

type Outcome = { readonly status: number; readonly body: string }

describe.runIf(canCrash)('a database outage', { timeout: 600_000 }, () => {
  let server: RunningPostgres
  let fleet: Fleet
  let gateway: Gateway
  let indexer: IndexerProcess
  let key: string
  beforeAll(async () => {
    server = await startPostgres({ durable: true })
    fleet = await startFleet(server.url)
    indexer = await fleet.startIndexer()
    gateway = await fleet.startGateway()
    const owners = [devAccount(0).address]
    key = (await fleet.store.apiKeys.create({ name: 'owner', permissions: ['rpc'], owners })).key
  }, 300_000)
  afterAll(async () => {
    await fleet?.close()
    await server?.stop()
  })

  const rpc = async (method: string, params: unknown): Promise<Outcome> => {
    const response = await fetch(`${gateway.ready.gatewayUrl}/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: defaultBrand.methodPrefix + method,
        params,
      }),
    })
    return { status: response.status, body: await response.text() }
  }
  const explorer = async (): Promise<Outcome> => {
    const response = await fetch(`${gateway.ready.explorerUrl}/v1/task?size=1`, {
      headers: { 'x-api-key': key },
    })
    return { status: response.status, body: await response.text() }
  }

  it('fails requests, but ends no process and loses nothing acknowledged', async () => {
    const { description } = fleet.stack
    const acknowledged = {
      tasks: new Set<string>(),
      keys: new Set<string>(),
      secrets: new Set<string>(),
      webhook: '',
    }
    const outcomes: Outcome[] = []
    const storeErrors: unknown[] = []
    let made = 0
    const taskParams = () => {
      made += 1
      return {
        policy_client: description.clients['allow-list']!.policyClient,
        intent: plainIntent(description, made),
      }
    }
    const resultOf = ({ status, body }: Outcome) =>
      status === 200 ? (JSON.parse(body) as { result?: Record<string, unknown> }).result : undefined
    const call = async (method: string, params: unknown) => {
      const outcome = await rpc(method, params)
      outcomes.push(outcome)
      return resultOf(outcome)
    }
    const work: (() => Promise<void>)[] = [
      async () => {
        const result = await call('createTask', { ...taskParams(), timeout: 300 })
        if (result !== undefined) acknowledged.tasks.add(String(result.task_id))
      },
      async () => {
        const result = await call('sendTask', taskParams())
        if (result !== undefined) acknowledged.tasks.add(String(result.task_id))
      },
      async () => {
        const url = `http://127.0.0.1:1/${++made}`
        if (await call('registerWebhook', { url, max_retries: 0 })) acknowledged.webhook = url
      },
      async () => void outcomes.push(await explorer()),
      async () => {
        await fleet.store.apiKeys.create({ name: 'load', permissions: ['rpc'] }).then(
          ({ record }) => acknowledged.keys.add(record.id),
          (error: unknown) => storeErrors.push(error),
        )
        const policyDataAddress = `0x${++made}` as const
        await fleet.store.secrets.put({ policyClient: '0x1', policyDataAddress }, 'sealed').then(
          () => acknowledged.secrets.add(policyDataAddress),
          (error: unknown) => storeErrors.push(error),
        )
        await pause(100)
      },
    ]
    let stopped = false
    const workers = work.map(async (one) => {
      while (!stopped) await one().then(() => pause(20))
    })
    const progress = async (more: number) => {
      const goal = acknowledged.tasks.size + more
      await expect.poll(() => acknowledged.tasks.size, patience).toBeGreaterThanOrEqual(goal)
    }

    await progress(4)
    const admin = await openServer(server.url)
    for (let round = 0; round < 8; round++) {
      await progress(2)
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where pid <> pg_backend_pid() and backend_type = 'client backend'`,
      )
    }
    await admin.close()

    await progress(2)
    const restart = await server.crash()
    await restart()
    await progress(2)

    const startAgain = await server.crash()
    await expect.poll(rpcPing, patience).toMatchObject({ status: 502 })
    expect(JSON.parse((await rpcPing()).body)).toMatchObject({
      jsonrpc: '2.0',
      error: { code: -32603, message: 'Service unavailable' },
    })
    const { status, body } = await explorer()
    expect([status, JSON.parse(body)]).toEqual([503, { detail: 'API key validation unavailable' }])
    await pause(3_000)
    await startAgain()
    await progress(4)
    stopped = true
    await Promise.all(workers)

    // Every request succeeded or failed as unavailable, in the format of its interface.
    expect(new Set(outcomes.map((one) => one.status))).toEqual(new Set([200, 502, 503]))
    for (const outcome of outcomes) JSON.parse(outcome.body)
    expect(
      storeErrors.filter((error) => (error as { code?: string }).code !== 'unavailable'),
    ).toEqual([])

    // Each task ends, and every acknowledged one exists once.
    const query = fleet.store.database.query
    await expect
      .poll(
        () => query('select id, status, deadline from tasks where finished_at is null'),
        patience,
      )
      .toEqual([])
    await expect
      .poll(() => query(`select id, posting_error from tasks where posting = 'queued'`), patience)
      .toEqual([])
    const tasks = await query<{ id: string; status: string; posting: string | null }>(
      'select id, status, posting from tasks',
    )
    const ids = new Set(tasks.map(({ id }) => id))
    expect([...acknowledged.tasks].filter((id) => !ids.has(id))).toEqual([])
    for (const { status, posting } of tasks)
      expect([status, posting]).toEqual(
        status === 'success' ? ['success', 'posted'] : [status, null],
      )
    const failures = tasks.filter((task) => task.status !== 'success').map(({ id }) => id)
    const told = await query<{ id: string }>('select task_id as id from notifications')
    expect(told.map(({ id }) => id).sort()).toEqual(failures.sort())
    const keys = await query<{ id: string }>('select id from api_keys')
    const keyIds = new Set(keys.map(({ id }) => id))
    expect([...acknowledged.keys].filter((id) => !keyIds.has(id))).toEqual([])
    const secrets = await query<{ at: string }>('select policy_data_address as at from secrets')
    const addresses = new Set(secrets.map(({ at }) => at))
    expect([...acknowledged.secrets].filter((at) => !addresses.has(at))).toEqual([])
    // Registrations replace each other: there is one if any was acknowledged.
    expect(acknowledged.webhook).not.toBe('')
    expect(await query('select 1 from webhooks')).toHaveLength(1)

    // Each success is on chain once.
    const chain = createPublicClient({ transport: http(description.chain.rpcUrl) })
    const events = await chain.getContractEvents({
      address: description.chain.taskManager,
      abi: taskManagerAbi,
      eventName: 'TaskResponded',
      fromBlock: 0n,
    })
    const responded = events.map(({ args }) => (args as { taskId: string }).taskId.toLowerCase())
    const succeeded = tasks.filter((task) => task.status === 'success').map(({ id }) => id)
    expect(responded.sort()).toEqual(succeeded.sort())

    // The explorer has them all: the indexer has recovered.
    await expect
      .poll(async () => (JSON.parse((await explorer()).body) as { total: number }).total, patience)
      .toBe(tasks.length)

    // The same processes from start to orderly shutdown, with a readable log.
    expect(await gateway.end('SIGTERM')).toBe(0)
    expect(await indexer.end('SIGTERM')).toBe(0)
    const log = gateway.complaints()
    expect(log).toContain('the store is unavailable')
    expect(log).toContain('the store is available again')
    const password = new URL(server.url).password
    expect(log).not.toContain(password)
    const failed = outcomes.filter((one) => one.status !== 200).length
    expect(log.split('the store is unavailable').length).toBeLessThan(Math.max(20, failed))
  })

  const rpcPing = () => rpc('getSecretsPublicKey', {})
})

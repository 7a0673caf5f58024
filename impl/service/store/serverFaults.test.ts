import { setTimeout as pause } from 'node:timers/promises'
import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { StatementError } from './database.ts'
import { openStore, type Store } from './openStore.ts'
import { openServer } from './server.ts'
import { type RunningPostgres, startPostgres } from './testing/postgresServer.ts'

const canCrash = process.platform !== 'win32' && (process.env.SVC_TEST_POSTGRES_URL ?? '') === ''
const client = `0x${'11'.repeat(20)}` as Address
const bytes32 = (n: number) => `0x${n.toString(16).padStart(64, '0')}` as Bytes32

/** Writes as fast as the store responds, and records acknowledged writes. */
function startLoad(store: Store) {
  const acknowledged = {
    tasks: new Set<string>(),
    keys: new Set<string>(),
    secrets: new Set<string>(),
  }
  const errors: unknown[] = []
  let stopped = false
  let made = 0
  const admit = async (n: number) => {
    const admission = await store.tasks.admit({
      policyClient: client,
      intentHash: bytes32(n),
      idFor: () => bytes32(n),
      method: 'sendTask',
      apiKeyId: 'load',
      request: { n },
      deadline: new Date(Date.now() + 60_000),
    })
    if (admission.outcome === 'admitted') acknowledged.tasks.add(bytes32(n))
  }
  const createKey = async (n: number) => {
    const { record } = await store.apiKeys.create({ name: String(n), permissions: ['rpc'] })
    acknowledged.keys.add(record.id)
  }
  const putSecret = async (n: number) => {
    await store.secrets.put({ policyClient: client, policyDataAddress: bytes32(n) }, 'sealed')
    acknowledged.secrets.add(bytes32(n))
  }
  const kinds = [admit, createKey, putSecret]
  const workers = Array.from({ length: 12 }, async (_, at) => {
    while (!stopped) {
      made += 1
      await kinds[at % kinds.length]!(made).catch((error: unknown) => errors.push(error))
      await pause(1)
    }
  })
  const count = () => acknowledged.tasks.size + acknowledged.keys.size + acknowledged.secrets.size
  return {
    acknowledged,
    errors,
    /** Waits for this many more acknowledged writes. */
    async progress(writes: number) {
      const goal = count() + writes
      await expect.poll(count, { timeout: 60_000 }).toBeGreaterThanOrEqual(goal)
    },
    async stop() {
      stopped = true
      await Promise.all(workers)
    },
  }
}

describe.runIf(canCrash)('a PostgreSQL server that fails', { timeout: 300_000 }, () => {
  let server: RunningPostgres
  let store: Store
  beforeAll(async () => {
    server = await startPostgres({ durable: true })
    store = await openStore({ url: server.url })
  }, 120_000)
  afterAll(async () => {
    await store?.close()
    await server?.stop()
  })

  const expectAllThere = async ({ acknowledged }: ReturnType<typeof startLoad>) => {
    const idsOf = async (sql: string) =>
      (await store.database.query<{ id: string }>(sql)).map(({ id }) => id)
    const tasks = await idsOf('select id from tasks')
    const keys = await idsOf('select id from api_keys')
    const secrets = await idsOf('select policy_data_address as id from secrets')
    const missing = (found: readonly string[], told: ReadonlySet<string>) =>
      [...told].filter((id) => !found.includes(id))
    expect(missing(tasks, acknowledged.tasks)).toEqual([])
    expect(missing(keys, acknowledged.keys)).toEqual([])
    expect(missing(secrets, acknowledged.secrets)).toEqual([])
    for (const found of [tasks, keys, secrets]) expect(new Set(found).size).toBe(found.length)
  }
  const onlyUnavailable = (errors: readonly unknown[]) =>
    expect(errors.filter((error) => (error as { code?: string }).code !== 'unavailable')).toEqual(
      [],
    )

  it('loses all connections repeatedly: callers get errors, and no acknowledged write is lost', async () => {
    const admin = await openServer(server.url)
    const load = startLoad(store)
    let ended = 0
    for (let round = 0; round < 20; round++) {
      await load.progress(20)
      const rows = await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where pid <> pg_backend_pid() and backend_type = 'client backend'`,
      )
      ended += rows.length
    }
    await load.progress(20)
    await load.stop()
    await admin.close()
    expect(ended).toBeGreaterThan(20)
    expect(load.errors.length).toBeGreaterThan(0)
    onlyUnavailable(load.errors)
    await expectAllThere(load)
  })

  it('loses a connection in each step of a transaction', async () => {
    const admin = await openServer(server.url)
    const end = async (pid: number) => {
      await admin.query('select pg_terminate_backend($1)', [pid])
      await expect
        .poll(() => admin.query('select 1 from pg_stat_activity where pid = $1', [pid]))
        .toEqual([])
    }
    const pidOf = async (tx: Pick<Store['database'], 'query'>) =>
      (await tx.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]!.pid
    for (const after of ['a pause', 'a statement', 'an error']) {
      const broken = store.database.transaction(async (tx) => {
        await end(await pidOf(tx))
        // The connection reports its end while it is idle.
        await pause(50)
        if (after === 'a statement') await tx.query('select 1')
        if (after === 'an error') throw new Error('of the work')
      })
      await expect(broken).rejects.toMatchObject({ code: 'unavailable' })
    }
    expect(await store.database.query('select 1 as one')).toEqual([{ one: 1 }])
    await admin.close()
  })

  it('crashes and restarts under load, immediately and after a while', async () => {
    const load = startLoad(store)
    for (const outage of [0, 0, 2_000]) {
      await load.progress(30)
      const startAgain = await server.crash()
      await pause(outage)
      await startAgain()
      await load.progress(30)
    }
    await load.stop()
    expect(load.errors.length).toBeGreaterThan(0)
    onlyUnavailable(load.errors)
    await expectAllThere(load)
  })

  it('reconnects channels after each outage', async () => {
    const received: string[] = []
    let gaps = 0
    const other = await openServer(server.url)
    const channel = store.database.openChannel!('faults', {
      message: (text) => received.push(text),
      gap: () => {
        gaps += 1
      },
    })
    const sender = other.openChannel!('faults', { message: () => {}, gap: () => {} })
    for (const round of [1, 2]) {
      await expect
        .poll(() => [channel.isOpen(), sender.isOpen()], { timeout: 60_000 })
        .toEqual([true, true])
      expect(gaps).toBeGreaterThanOrEqual(round)
      sender.send(`round ${round}`)
      await expect.poll(() => received.at(-1), { timeout: 60_000 }).toBe(`round ${round}`)
      const startAgain = await server.crash()
      await expect.poll(() => channel.isOpen()).toBe(false)
      await startAgain()
    }
    await Promise.all([channel.close(), sender.close()])
    await other.close()
  })

  it('rejects writes as a standby does: the connection is not reused', async () => {
    await setReadOnly(true)
    await expect(
      store.database.query("insert into leases values ('x', 'y', now())"),
    ).rejects.toMatchObject({ code: 'unavailable' })
    await setReadOnly(false)
    await expect
      .poll(() => store.leases.take('x', 'y', 1).catch(() => false), { timeout: 60_000 })
      .toBe(true)
  })
  const setReadOnly = async (on: boolean) => {
    const admin = await openServer(server.url)
    await admin.execute('set session characteristics as transaction read write')
    await admin.execute(`alter system set default_transaction_read_only = ${on ? 'on' : 'off'}`)
    await admin.query('select pg_reload_conf()')
    await admin.close()
    await pause(200)
  }

  it('retries a transaction that lost a deadlock', async () => {
    await store.database.execute('create table pair (id int4 primary key, n int4)')
    await store.database.execute('insert into pair values (1, 0), (2, 0)')
    const add = (first: number, second: number) =>
      store.database.transaction(async (tx) => {
        await tx.query('update pair set n = n + 1 where id = $1', [first])
        await pause(100)
        await tx.query('update pair set n = n + 1 where id = $1', [second])
      })
    await Promise.all([add(1, 2), add(2, 1)])
    expect(await store.database.query('select n from pair order by id')).toEqual([
      { n: 2 },
      { n: 2 },
    ])
  })

  it('distinguishes statement errors from connection errors', async () => {
    await expect(store.database.execute('select nonsense')).rejects.toBeInstanceOf(StatementError)
  })
})

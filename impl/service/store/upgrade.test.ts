import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { engines } from './engines.fixture.ts'
import { openStore, type Store, type StoreOptions } from './openStore.ts'
import {
  clusterSettings,
  copyCluster,
  type PreparedCluster,
  preparedCluster,
} from './preparedCluster.ts'
import { migrations } from './schema.ts'

/** Opens a database of the first release with this one: no stored data is lost. */

// Each test starts a database several times, which takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const key = 'key_of-the-first-release-0123456789'
const id = (digit: string) => `0x${digit.repeat(64)}` as const
const client = `0x${'aa'.repeat(20)}` as const
const source = `0x${'bb'.repeat(20)}` as const
const envelope = '{ "enc" : "é",\n"x":1.0 }'
const result = `{"task_id":"${id('1')}","status":"success","wei":123456789012345678901234567890,"nul":"\\u0000"}`
const failure = `{"notification_id":"n-1","task_id":"${id('1')}","failure_type":"timeout"}`
const hashOfKey = hash(key)

const rows = `
  insert into api_keys values ('4f1c22ab09de', '\\x${hashOfKey}', 'first', '{rpc,admin}',
    '{0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266}', '2026-01-02T03:04:05.678Z', null, null);
  insert into api_keys values ('000000000000', '\\x00', 'expired', '{}', '{}',
    '2026-01-02T03:04:05Z', '2026-02-02T03:04:05Z', '2026-03-02T03:04:05Z');
  insert into tasks values ('${id('1')}', '${client}', '${id('f')}', 0, 'success', 'createTask',
    '4f1c22ab09de', '{"value":"0x1"}', '2026-01-02T03:05:00Z', '2026-01-02T03:04:05Z',
    '2026-01-02T03:04:06Z', '2026-01-02T03:04:06Z', '${result}', null, null);
  insert into tasks values ('${id('2')}', '${client}', '${id('e')}', 0, 'failed', 'createTask',
    'a key that is gone', '{}', '2026-01-02T03:05:00Z', '2026-01-02T03:04:05Z',
    '2026-01-02T03:04:06Z', '2026-01-02T03:04:06Z', '{"status":"failed"}', 'Task timeout',
    '[{"retryable":true}]');
  insert into tasks values ('${id('3')}', '${client}', '${id('d')}', 0, 'processing', 'createTask',
    '4f1c22ab09de', '{}', '2026-01-02T03:05:00Z', '2026-01-02T03:04:05Z',
    '2026-01-02T03:04:06Z', null, null, null, null);
  insert into secrets values ('${client}', '${source}', '${envelope}', '2026-01-02T03:04:05Z');
  insert into notifications values ('n-1', '${id('2')}', '4f1c22ab09de', '${failure}',
    '2026-01-02T03:04:06Z', 0, '2026-01-02T03:04:06Z', null);
  insert into notifications values ('n-2', '${id('2')}', 'a key that is gone', '${failure}',
    '2026-01-02T03:04:06Z', 3, '2026-01-02T03:04:06Z', '2026-01-02T03:04:09Z');
`
const tables = ['api_keys', 'tasks', 'secrets', 'notifications']

/** A database of the first release, and how it executes a script. */
type Place = {
  readonly options: StoreOptions
  execute(script: string): Promise<void>
  remove(): Promise<void>
}

const first = `create table schema_migrations (id int4 primary key);
  ${migrations[0]!.sql}; insert into schema_migrations values (1); ${rows}`

const cacheDirectory = fileURLToPath(new URL('../../../.cache/pglite-first/', import.meta.url))

/** A cluster of the first release, kept for the next run and copied for each test: creating one takes seconds. */
async function firstCluster(): Promise<PreparedCluster> {
  const home = join(cacheDirectory, hash(first).slice(0, 16))
  // The settings of every release so far.
  const prepared = await preparedCluster(
    async (directory) => {
      const lite = await PGlite.create({ dataDir: directory, ...clusterSettings })
      await lite.exec(first)
      await lite.close()
      return new Uint8Array()
    },
    { cache: home, prebuilt: async () => undefined },
  )
  if (prepared === undefined) throw new Error(`The cluster could not be created in ${home}`)
  return prepared
}

async function onDisk(): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-upgrade-'))
  const directory = join(dataDir, 'cluster')
  await copyCluster(await firstCluster(), directory)
  return {
    options: { dataDir },
    async execute(script) {
      const lite = await PGlite.create({ dataDir: directory })
      await lite.exec(script).finally(() => lite.close())
    },
    remove: () => rm(dataDir, { recursive: true, force: true }),
  }
}

async function onServer(base: string): Promise<Place> {
  const schema = `test_${crypto.randomUUID().replaceAll('-', '')}`
  const run = async (url: string, script: string) => {
    const connection = new pg.Client({ connectionString: url })
    await connection.connect()
    await connection.query(script).finally(() => connection.end())
  }
  await run(base, `create schema ${schema}`)
  const own = new URL(base)
  own.searchParams.set('options', `-c search_path=${schema}`)
  await run(own.href, first)
  return {
    options: { url: own.href },
    execute: (script) => run(own.href, script),
    remove: () => run(base, `drop schema ${schema} cascade`),
  }
}

/** Every member of every row that the first release wrote, as text. */
async function written(store: Store): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const table of tables) {
    const columns = firstColumns[table]!.join(', ')
    const inner = `select ${columns} from ${table} order by 1`
    const [row] = await store.database.query(`select json_agg(r)::text as rows from (${inner}) r`)
    found[table] = row!.rows
  }
  return found
}
const firstColumns: Record<string, readonly string[]> = {
  api_keys: ['id', 'hash', 'name', 'permissions', 'owners', 'created_at', 'rotated_at', 'expires_at'], // biome-ignore format: a list
  tasks: ['id', 'policy_client', 'intent_hash', 'nonce', 'status', 'method', 'api_key_id', 'request::text', 'deadline', 'created_at', 'updated_at', 'finished_at', 'result::text', 'error', 'operator_errors::text'], // biome-ignore format: a list
  secrets: ['policy_client', 'policy_data_address', 'envelope', 'stored_at'],
  notifications: ['id', 'task_id', 'api_key_id', 'payload::text', 'created_at', 'attempts', 'next_attempt_at', 'settled_at'], // biome-ignore format: a list
}

it('is written by migrations that do not change after their release', () => {
  expect(hash(migrations[0]!.sql)).toBe(
    'c998992a836a69ad19ebb8e3ee416360a6561c91c05c1f27a5cb03c976280d36',
  )
})

describe.each(engines)('a database of the first release on the $name engine', ({ url }) => {
  let place: Place | undefined
  let store: Store | undefined
  afterEach(async () => {
    await store?.close()
    await place?.remove()
    store = undefined
    place = undefined
  })
  const placeOld = async (): Promise<Place> => {
    place = url === undefined ? await onDisk() : await onServer(url)
    return place
  }

  it('keeps every row, also when it is reopened', async () => {
    const { options } = await placeOld()
    store = await openStore(options)
    const once = await written(store)
    expect(once).toMatchObject({
      api_keys: expect.stringContaining(hashOfKey),
      tasks: expect.stringContaining('123456789012345678901234567890'),
      secrets: expect.stringContaining('{ \\"enc\\" : \\"é\\",'),
      notifications: expect.stringContaining('"attempts":3'),
    })
    const counts = tables.map((table) => JSON.parse(String(once[table])).length)
    expect(counts).toEqual([2, 3, 1, 2])
    await store.close()
    store = await openStore(options)
    expect(await written(store)).toEqual(once)
    expect(await store.database.query('select id from schema_migrations order by id')).toEqual(
      migrations.map((migration) => ({ id: migration.id })),
    )
  })

  it('works: keys, secrets, tasks, notifications, and new tables', async () => {
    const { options } = await placeOld()
    store = await openStore(options)
    const { apiKeys, secrets, tasks, notifications, webhooks } = store
    const record = await apiKeys.lookup(key)
    expect(record).toMatchObject({ id: '4f1c22ab09de', permissions: ['rpc', 'admin'] })
    expect(record!.createdAt).toEqual(new Date('2026-01-02T03:04:05.678Z'))
    expect(await secrets.get({ policyClient: client, policyDataAddress: source })).toBe(envelope)
    const right = { owner: client, chainId: 31_337, block: 1 }
    const scope = { policyClient: client, policyDataAddress: source }
    expect(await secrets.put(scope, envelope, right)).toBe('stored')
    expect((await tasks.get(id('1')))?.result).toMatchObject({ status: 'success', nul: '\u0000' })
    expect((await tasks.listUnfinished()).map((task) => task.id)).toEqual([id('3')])
    const admission = {
      policyClient: client,
      intentHash: id('f'),
      idFor: (nonce: number) => id(String(nonce + 6)),
      method: 'createTask',
      apiKeyId: '4f1c22ab09de',
      request: {},
      deadline: new Date(),
    } as const
    expect(await tasks.admit(admission)).toMatchObject({ task: { id: id('7'), nonce: 1 } })
    expect(await notifications.forTask(id('2'))).toMatchObject([
      { id: 'n-1', settledAt: null, outcome: null },
      { id: 'n-2', settledAt: new Date('2026-01-02T03:04:09Z') },
    ])
    const hook = {
      apiKeyId: '4f1c22ab09de',
      url: 'https://example.com',
      sealedSecret: null,
      timeoutSeconds: 10,
      maxRetries: 3,
      failureTypes: null,
    }
    expect(await webhooks.put(hook)).toBe(true)
    const claimed = await notifications.claim({ limit: 9, perKey: 9, marginMs: 0 })
    expect(claimed.map((notification) => notification.id)).toEqual(['n-1'])
  })

  it('is unchanged when the upgrade fails midway', async () => {
    const inTheWay = 'create table confidential_data (data_ref_id text)'
    const { options, execute } = await placeOld()
    await execute(inTheWay)
    await expect(openStore(options)).rejects.toThrow('already exists')
    await execute('drop table confidential_data')
    store = await openStore(options)
    expect(await store.secrets.get({ policyClient: client, policyDataAddress: source })).toBe(
      envelope,
    )
  })

  it('is rejected when a later release has written it', async () => {
    const { options, execute } = await placeOld()
    await execute('insert into schema_migrations values (999)')
    await expect(openStore(options)).rejects.toMatchObject({
      code: 'schema',
      message: expect.stringContaining('The database has schema 999'),
    })
  })
})

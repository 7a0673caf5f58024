import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { writeGeneration } from 'polgate-lib/files/generations.ts'
import { replaceFile, replaceFileSync } from 'polgate-lib/files/replaceFile.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { TaskResult } from 'polgate-protocol/task.ts'
import { openStore, type Store } from 'polgate-service/store/openStore.ts'
import type { Random } from './disk.ts'
import { record } from './recorder.ts'
import type { TraceEvent } from './trace.ts'

/** Paths below the directory of the run. */
export const paths = {
  store: 'data/store',
  chain: 'data/chain.json',
  files: ['data/settings.json', 'data/keys.json'],
} as const

/** What was acknowledged when the trace had `at` events. */
export type Fact = { readonly at: number } & (
  | { readonly kind: 'opened' }
  | { readonly kind: 'task'; readonly id: Bytes32; readonly stage: Stage }
  | { readonly kind: 'notification'; readonly id: string; readonly task: Bytes32 }
  | { readonly kind: 'delivered'; readonly id: string }
  | { readonly kind: 'secret'; readonly scope: number; readonly version: number }
  /** An API key that was made, and deleted again unless it exists. */
  | { readonly kind: 'key'; readonly id: string; readonly exists: boolean }
  /** Of the one API key that the tasks have. */
  | { readonly kind: 'webhook'; readonly version: number }
  /** A table that was made and filled by one transaction. */
  | { readonly kind: 'table'; readonly name: string }
  | { readonly kind: 'chain'; readonly version: number }
  | { readonly kind: 'file'; readonly path: string; readonly version: number }
)

/** Of a task, in this order. */
export const stages = ['pending', 'processing', 'ended'] as const
export type Stage = (typeof stages)[number]

export type Span = { readonly from: number; readonly to: number }

export type Run = {
  readonly trace: readonly TraceEvent[]
  readonly facts: readonly Fact[]
  /** Events from the moment when the new cluster has its name until the store is open. */
  readonly placed: Span
  /** Events of a relaxed process, of which nothing is promised before a durable one has opened. */
  readonly relaxed: Span
  /** Notifications that any attempt was made to store, by task. */
  readonly notifications: ReadonlyMap<string, string>
}

export type LoadOptions = {
  /** An empty directory. */
  readonly home: string
  readonly random: Random
  readonly tasks: number
}

/** Of a size that varies: tables and the log grow by odd amounts. */
const padding = (random: Random) => 'x'.repeat(Math.floor(random() ** 3 * 6_000))

export const envelopeOf = (version: number, random: Random) =>
  JSON.stringify({ version, data: padding(random) })

const client = `0x${'ab'.repeat(20)}` as const
export const scopeOf = (scope: number) =>
  ({
    policyClient: client,
    policyDataAddress: `0x${scope.toString(16).padStart(40, '0')}`,
  }) as const

/**
 * Records tasks, secrets, notifications and their deliveries, files and generations, several at once, with
 * checkpoints in between.
 */
export async function runLoad({ home, random, tasks }: LoadOptions): Promise<Run> {
  const facts: Fact[] = []
  const notifications = new Map<string, string>()
  const recorder = record(home)
  const { trace } = recorder
  try {
    const dataDir = join(home, paths.store)
    const created = await openStore({ dataDir })
    facts.push({ at: trace.length, kind: 'opened' })
    const named = trace.findIndex((event) => event.kind === 'entry' && event.name === 'cluster')
    const placed = { from: named + 1, to: trace.length }
    await created.close()
    const from = trace.length
    const loose = await openStore({ dataDir, durability: 'relaxed' })
    await makeTable(loose, 'of_relaxed')
    await loose.database.execute('checkpoint')
    await loose.close()
    const store = await openStore({ dataDir })
    const to = trace.length
    facts.push({ at: to, kind: 'table', name: 'of_relaxed' })
    await useUpSegments(store)
    const { record: key } = await store.apiKeys.create({ name: 'load', permissions: ['rpc'] })
    await store.webhooks.put(webhookOf(key.id, 0))
    const scene = { store, facts, trace, random, notifications, apiKeyId: key.id, home }
    let next = 0
    let running = true
    const worker = async (scope: number) => {
      for (let n = next++; n < tasks; n = next++) await oneTask(scene, n, scope)
    }
    const beside = [
      checkpoints(scene, () => running),
      deliveries(scene, () => running),
      files(scene, () => running),
      registrations(scene, () => running),
    ]
    await Promise.all([0, 1, 2, 3].map(worker))
    running = false
    await Promise.all(beside)
    await store.close()
    return { trace, facts, notifications, placed, relaxed: { from, to } }
  } finally {
    recorder.stop()
  }
}

type Scene = {
  readonly store: Store
  readonly facts: Fact[]
  readonly trace: readonly TraceEvent[]
  readonly random: Random
  readonly notifications: Map<string, string>
  readonly apiKeyId: string
  readonly home: string
}

/** @param scope of its secrets, which no task that runs at the same time has */
async function oneTask(scene: Scene, n: number, scope: number): Promise<void> {
  const { store, facts, trace, random, notifications, apiKeyId } = scene
  const id: Bytes32 = `0x${n.toString(16).padStart(64, '0')}`
  const reached = (stage: Stage) => facts.push({ at: trace.length, kind: 'task', id, stage })
  await store.tasks.admit({
    policyClient: client,
    intentHash: id,
    idFor: () => id,
    method: 'createTask',
    apiKeyId,
    request: { padding: padding(random) },
    deadline: new Date(Date.now() + 60_000),
  })
  reached('pending')
  await store.tasks.markProcessing(id)
  if (n % 5 === 0) {
    const version = n
    await store.secrets.put(scopeOf(scope), envelopeOf(version, random))
    // Nobody waits for the disk when a task is processing; what is durable later makes it durable too.
    reached('processing')
    facts.push({ at: trace.length, kind: 'secret', scope, version })
  }
  const result = { task_id: id } as unknown as TaskResult
  if (n % 3 !== 0) {
    await store.tasks.finish(id, { status: 'success', result, post: true })
    reached('ended')
    return
  }
  const notification = randomUUID()
  notifications.set(id, notification)
  await store.tasks.finish(id, {
    status: 'failed',
    result,
    error: 'the load fails it',
    notification: {
      notification_id: notification,
      task_id: id,
      timestamp: new Date().toISOString(),
      failure_type: 'timeout',
      error_message: padding(random),
      context: {},
      is_recoverable: false,
      retry_after_seconds: null,
    },
  })
  reached('ended')
  facts.push({ at: trace.length, kind: 'notification', id: notification, task: id })
}

/** A new cluster has some segments of the log; commits must be found in those that the engine adds, too. */
async function useUpSegments(store: Store): Promise<void> {
  const count = async () => {
    const [row] = await store.database.query<{ later: number }>(
      'select count(*) as later from pg_ls_waldir() where name > pg_walfile_name(pg_current_wal_lsn())',
    )
    return row?.later ?? 0
  }
  while ((await count()) > 0) {
    await store.database.execute('create table of_segment (id int); drop table of_segment')
    await store.database.execute('select pg_switch_wal()')
  }
}

/** Rows of each table. */
export const tableRows = 200

/** As a migration does. */
const makeTable = (store: Store, name: string): Promise<void> =>
  store.database.transaction(async (tx) => {
    await tx.execute(`create table ${name} (id int primary key, text text)`)
    await tx.execute(
      `insert into ${name} select n, repeat(md5(n::text), 20) from generate_series(1, ${tableRows}) n`,
    )
  })

async function checkpoints(scene: Scene, running: () => boolean): Promise<void> {
  const { store, random, facts, trace } = scene
  for (let tables = 0; running(); tables++) {
    const wait = 5 + Math.floor(random() * 60)
    for (let n = 0; n < wait && running(); n++) await store.database.query('select 1 as one')
    const name = `table_${tables}`
    await makeTable(store, name)
    facts.push({ at: trace.length, kind: 'table', name })
    // Another segment of the log, of which the checkpoint frees the earlier ones.
    await store.database.execute('select pg_switch_wal()')
    await store.database.execute('checkpoint')
  }
}

async function deliveries(scene: Scene, running: () => boolean): Promise<void> {
  const { store, facts, trace } = scene
  while (running()) {
    const claimed = await store.notifications.claim({ limit: 5, perKey: 5, marginMs: 0 })
    await store.notifications.endAttempts(
      claimed.map(({ id, attempts }) => ({
        id,
        attempts: attempts + 1,
        error: null,
        outcome: 'delivered',
      })),
    )
    for (const { id } of claimed) facts.push({ at: trace.length, kind: 'delivered', id })
    await turn()
  }
}

const webhookOf = (apiKeyId: string, version: number) => ({
  apiKeyId,
  url: `https://hooks.example/${version}`,
  sealedSecret: null,
  timeoutSeconds: 10,
  maxRetries: 3,
  failureTypes: null,
})

/** Every other API key is deleted again. */
async function registrations(scene: Scene, running: () => boolean): Promise<void> {
  const { store, facts, trace, apiKeyId } = scene
  for (let version = 1; running(); version++) {
    await store.webhooks.put(webhookOf(apiKeyId, version))
    facts.push({ at: trace.length, kind: 'webhook', version })
    const { record: key } = await store.apiKeys.create({ name: 'more', permissions: ['rpc'] })
    const exists = version % 2 === 1
    if (!exists) await store.apiKeys.delete(key.id)
    facts.push({ at: trace.length, kind: 'key', id: key.id, exists })
    for (let n = 0; n < 5; n++) await store.database.query('select 1 as one')
  }
}

async function files(scene: Scene, running: () => boolean): Promise<void> {
  const { facts, trace, random, home, store } = scene
  for (let version = 1; running(); version++) {
    const content = envelopeOf(version, random)
    await writeGeneration(join(home, paths.chain), [Buffer.from(content)], version)
    facts.push({ at: trace.length, kind: 'chain', version })
    const [later, now] = paths.files
    await replaceFile(join(home, later), content)
    facts.push({ at: trace.length, kind: 'file', path: later, version })
    replaceFileSync(join(home, now), content)
    facts.push({ at: trace.length, kind: 'file', path: now, version })
    for (let n = 0; n < 5; n++) await store.database.query('select 1 as one')
  }
}

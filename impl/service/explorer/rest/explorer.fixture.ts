import { Writable } from 'node:stream'
import { pino } from 'pino'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import type { ExplorerPolicy, TaskDetail } from 'polgate-protocol/explorer.ts'
import { Registry } from 'prom-client'
import type { ExplorerQueries, Unnamed } from '../../store/explorer/explorerQueries.ts'
import type { PageOptions } from '../../store/explorer/pages.ts'
import type { KeyPermission } from '../../store/keyOptions.ts'
import type { Store } from '../../store/openStore.ts'
import { openTestStore } from '../../store/testing/openTestStore.ts'
import { createExplorerApp, type ExplorerDeps } from './explorerApp.ts'
import { createExplorerMetrics } from './explorerMetrics.ts'

type Task = Unnamed<TaskDetail>
type Policy = Unnamed<ExplorerPolicy>

const bytes32 = (n: number) => `0x${n.toString(16).padStart(64, '0')}` as const
const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as const
const at = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString()

/** Rows of a fictitious chain: the n-th task and policy, a second apart from 2026 on. */
export const taskRow = (n: number): Task => ({
  id: bytes32(n),
  sender_address: address(1),
  policy_client_address: address(2),
  policy_id: n % 3 === 0 ? null : bytes32(n % 3),
  policy_address: n % 3 === 0 ? null : address(n % 3),
  evaluation_result: n % 3 === 0 ? null : bytes32(1),
  error: n % 3 === 0 ? 'Task timeout' : null,
  operator_errors: null,
  created_block: n,
  task_created_at: at(n),
  task_responded_at: null,
  attestation_spent_at: null,
  task_challenged_at: null,
  challenge_result: null,
  task_responded_metadata: null,
  updated_at: at(n),
  intent: { from: address(1), value: '0x1' },
  policy_config: null,
  policy_task_data: null,
  created_txn_hash: bytes32(1000 + n),
  responded_txn_hash: null,
  challenged_txn_hash: null,
  spent_txn_hash: null,
})

export const policyRow = (n: number): Policy => ({
  address: address(0xabc000 + n),
  name: `policy ${n}`,
  version: null,
  author: null,
  description: null,
  verified: null,
  policy_info: null,
  deployed_txn_hash: bytes32(2000 + n),
  policy_deployed_at: at(n),
})

function summaryOf(task: Task) {
  const { intent, policy_config, policy_task_data, ...rest } = task
  const { created_txn_hash, responded_txn_hash, challenged_txn_hash, spent_txn_hash, ...summary } =
    rest
  return summary
}

function pageOf<T>(rows: readonly T[], { page, size, asOf = rows.length }: PageOptions) {
  const then = rows.slice(Math.max(0, rows.length - asOf))
  return { total: then.length, page, size, results: then.slice((page - 1) * size, page * size) }
}

function within(time: string | null, start: Date | undefined, end: Date | undefined) {
  const ms = Date.parse(time ?? '')
  return (
    (start === undefined || ms >= start.getTime()) && (end === undefined || ms <= end.getTime())
  )
}

/** The store's queries over lists in memory, newest first. */
export function rowsInMemory(tasks: readonly Task[], policies: readonly Policy[]) {
  const list = (keep: (task: Task) => boolean, page: PageOptions) => {
    const found = pageOf(tasks.filter(keep), page)
    return { ...found, results: found.results.map(summaryOf) }
  }
  return {
    task: async (_, id) => tasks.find((task) => task.id === id),
    tasks: async (_, page) => list(() => true, page),
    tasksOfPolicyId: async (_, id, page) => list((task) => task.policy_id === id, page),
    tasksOfPolicyAddress: async (_, a, page) => list((task) => task.policy_address === a, page),
    policy: async (_, a) => policies.find((policy) => policy.address === a),
    policies: async (_, page) => pageOf(policies, page),
    stats: async (_, windows) => ({
      total_tasks: tasks.filter((task) =>
        within(task.task_created_at, windows.tasks.start, windows.tasks.end),
      ).length,
      total_policies: policies.filter((policy) =>
        within(policy.policy_deployed_at, windows.policies.start, windows.policies.end),
      ).length,
    }),
  } satisfies ExplorerQueries
}

const countdown = (length: number) => Array.from({ length }, (_, i) => length - i)

async function makeKeys({ apiKeys }: Store) {
  const make = async (permissions: KeyPermission[], expiresAt?: Date) =>
    (await apiKeys.create({ name: 'test', permissions, expiresAt })).key
  return {
    read: await make(['rpc_read']),
    write: await make(['rpc_write']),
    rpc: await make(['rpc']),
    admin: await make(['admin']),
    none: await make([]),
    expired: await make(['rpc'], new Date(0)),
  }
}

function appOver(
  store: Store,
  keys: Awaited<ReturnType<typeof makeKeys>>,
  overrides: Partial<ExplorerDeps>,
) {
  const log: string[] = []
  const sink = new Writable({
    write(chunk, _, done) {
      log.push(String(chunk))
      done()
    },
  })
  const registry = new Registry()
  const metrics = createExplorerMetrics(registry)
  const app = createExplorerApp({
    brand: defaultBrand,
    version: '0.1.0',
    apiKeys: store.apiKeys,
    queries: rowsInMemory(countdown(25).map(taskRow), countdown(12).map(policyRow)),
    networks: { testnet: 31337 },
    rateLimit: { perSecond: 1e9, burst: 1e9 },
    limiter: { take: async () => 0 },
    clock: () => 1_800_000_000_000,
    logger: pino({}, sink),
    metrics,
    corsOrigins: [],
    ...overrides,
  })
  /** A request with the key `read`, unless headers are given. */
  const get = async (
    path: string,
    headers: Record<string, string> = { 'x-api-key': keys.read },
  ) => {
    const response = await app.request(path, { headers })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      // biome-ignore lint/suspicious/noExplicitAny: tests read members of any response
      body: (text.startsWith('{') ? JSON.parse(text) : text) as any,
    }
  }
  return { app, log, registry, get }
}

/** An explorer over 25 tasks and 12 policies, with keys of a real store, without a socket. */
export async function openTestExplorer() {
  const store = await openTestStore()
  const keys = await makeKeys(store)
  return {
    ...appOver(store, keys, {}),
    store,
    keys,
    /** Another app with the same keys. */
    but: (overrides: Partial<ExplorerDeps>) => appOver(store, keys, overrides),
    close: () => store.close(),
  }
}

export type TestExplorer = Awaited<ReturnType<typeof openTestExplorer>>

/**
 * Kills a service repeatedly while tasks are created, and restarts it each time:
 * `npm run kills -- --rounds 20 --store embedded|postgres --what stack|process`. `stack` kills all of it at once:
 * with the embedded store a local stack with its chain, with PostgreSQL gateway, operators, indexer and the
 * server. `process` kills one of them. Exits 1 if a start failed, if the first task after a start is not decided
 * or takes much longer than those before and after, or if an acknowledged task is lost or not posted.
 */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import { openStore } from 'polgate-service/store/openStore.ts'
import { deployment } from './kills/deployment.ts'
import { localStack } from './kills/localStack.ts'
import type { KillTarget, Service } from './kills/target.ts'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    store: { type: 'string', default: 'embedded' },
    what: { type: 'string', default: 'stack' },
    'data-dir': { type: 'string' },
    'most-ms': { type: 'string', default: '10000' },
  },
})
const { store, what } = options
if (store !== 'embedded' && store !== 'postgres') throw new Error('--store is embedded or postgres')
if (what !== 'stack' && what !== 'process') throw new Error('--what is stack or process')

/**
 * What a first task may take: this many times as long as the slowest of the first one of all, of those before the
 * kill, and of the two after it, and a second. The results of tasks are posted again meanwhile.
 */
const slower = 3
const postedMs = 120_000
const clients = 3

const say = (line: string) => void process.stdout.write(`${line}\n`)
/** By their status. */
const acknowledged = new Map<string, string>()
/** Milliseconds of the slowest task of the last round. */
let slowest = 0
/** Milliseconds of the first task after each start. */
const firsts: number[] = []
const failures: string[] = []
let value = Date.now() % 1_000_000

async function createTask(service: Service): Promise<string | undefined> {
  value += 1
  const answer = await stackClient(service)
    .call('createTask', {
      policy_client: service.clients['allow-list']!.policyClient,
      intent: plainIntent(service, value),
      timeout: 60,
    })
    .catch(() => undefined)
  const result = answer?.result
  if (result !== undefined) acknowledged.set(result.task_id as string, result.status)
  return result?.status
}

async function timedTask(service: Service) {
  const begin = performance.now()
  const status = await createTask(service)
  return { status, ms: performance.now() - begin }
}

async function start(target: KillTarget, round: string): Promise<Service | undefined> {
  try {
    const service = await target.start()
    const { status, ms } = await timedTask(service)
    firsts.push(ms)
    const next = [(await timedTask(service)).ms, (await timedTask(service)).ms]
    const usual = Math.max(firsts[0]!, slowest, ...next)
    if (status !== 'success') failures.push(`${round}: the first task ended as ${status}`)
    else if (ms > slower * usual + 1_000)
      failures.push(
        `${round}: the first task took ${Math.round(ms)} ms, others at most ${Math.round(usual)} ms`,
      )
    return service
  } catch (error) {
    failures.push(`${round}: failed to start: ${(error as Error).message}`)
    return undefined
  }
}

async function round(target: KillTarget, name: string): Promise<void> {
  const service = await start(target, name)
  if (service === undefined) return
  let killed = false
  slowest = 0
  const load = Array.from({ length: clients }, async () => {
    while (!killed) {
      const { ms } = await timedTask(service)
      if (!killed) slowest = Math.max(slowest, ms)
    }
  })
  // Kills early and late, so that in most rounds tasks are in progress.
  await pause(Math.random() * Number(options['most-ms']))
  killed = true
  const part = await target.kill()
  await Promise.all(load)
  say(`${name}: killed ${part}, ${acknowledged.size} tasks acknowledged so far`)
}

async function untilPosted({ explorerUrl, apiKeys }: Service, ids: readonly string[]) {
  const until = performance.now() + postedMs
  let left = ids
  while (left.length > 0 && performance.now() < until) {
    const found = await Promise.all(
      left.map(async (id) => {
        const headers = { 'x-api-key': apiKeys.read }
        const response = await fetch(`${explorerUrl}/v1/task/${id}`, { headers })
        const row = (await response.json()) as { responded_txn_hash?: unknown }
        return typeof row.responded_txn_hash === 'string'
      }),
    )
    left = left.filter((_, at) => !found[at])
    await pause(200)
  }
  return left
}

async function audit(target: KillTarget): Promise<void> {
  const service = await start(target, 'last start')
  const decided = [...acknowledged].flatMap(([id, status]) => (status === 'success' ? [id] : []))
  const left = service === undefined ? [] : await untilPosted(service, decided.slice(-50))
  await target.stop()
  const database = await openStore(target.database)
  const rows = await database.database.query<{ id: string; result: unknown; error: unknown }>(
    'select id, result, error from tasks',
  )
  for (const id of left) {
    const [row] = await database.database.query(
      'select status, posting, posting_error, posting_attempts, reference_block from tasks where id = $1',
      [id],
    )
    failures.push(`the result of ${id} is not posted: ${JSON.stringify(row)}`)
  }
  await database.close()
  const found = new Map(rows.map((row) => [row.id, row]))
  const lost = [...acknowledged.keys()].filter((id) => !found.has(id))
  const half = [...acknowledged.keys()].filter((id) => {
    const row = found.get(id)
    return row !== undefined && row.result === null && row.error === null
  })
  if (lost.length > 0) failures.push(`${lost.length} acknowledged tasks are lost`)
  if (half.length > 0) failures.push(`${half.length} acknowledged tasks have no end`)
}

const keep = options['data-dir'] !== undefined
const home = options['data-dir'] ?? (await mkdtemp(join(tmpdir(), 'svc-kills-')))
const target =
  store === 'embedded' && what === 'stack'
    ? localStack(home, keep)
    : await deployment({ home, store, whole: what === 'stack', keep })
try {
  for (let n = 1; n <= Number(options.rounds); n++) await round(target, `round ${n}`)
  await audit(target)
} finally {
  await target.close()
}
const sorted = [...firsts].sort((a, b) => a - b).map(Math.round)
say(
  `${options.rounds} kills (${what}, ${store}): ${acknowledged.size} tasks acknowledged; the first task after a start took ${sorted[sorted.length >> 1]} ms, at most ${sorted.at(-1)} ms`,
)
for (const failure of failures) say(`failed: ${failure}`)
process.exitCode = failures.length === 0 ? 0 : 1

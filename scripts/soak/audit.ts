import { taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import type { ExplorerPage, TaskSummary } from 'polgate-protocol/explorer.ts'
import { type Address, createPublicClient, http } from 'viem'
import type { Cluster } from './cluster.ts'
import type { Ledger, Replaced } from './ledger.ts'

/** Findings about acknowledged work, by kind; all lists empty means correct. */
export type Audit = {
  readonly acknowledged: number
  readonly found: number
  readonly posted: number
  readonly reportedFailed: number
  readonly lost: readonly string[]
  readonly duplicates: readonly string[]
  readonly stuck: readonly string[]
  readonly contradictions: readonly string[]
}

type Row = {
  readonly id: string
  readonly status: string
  readonly posting: string | null
  readonly postingError: string | null
  readonly attempts: number
  readonly postedAt: Date | null
}

/** Time for work to finish after the last fault, milliseconds. */
const settling = 300_000

/** Waits until no work is in progress, then audits everything that was acknowledged. */
export async function audit(cluster: Cluster, ledger: Ledger): Promise<Audit> {
  const { store, environment } = cluster
  const lost: string[] = []
  const duplicates: string[] = [...ledger.repeatedIds].map(
    (id) => `task id ${id} was returned twice`,
  )
  const contradictions: string[] = []

  await until(async () => (await underWay(cluster)).length === 0)
  const stuck = (await underWay(cluster)).map(
    ({ id, status, posting, postingError }) =>
      `task ${id}: ${status}, posting ${posting ?? 'none'}${postingError ? `: ${postingError}` : ''}`,
  )

  const rows = await store.database.query<Row>(
    `select id, status, posting, posting_error as "postingError", posting_attempts as attempts,
       posting_at as "postedAt" from tasks`,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  const notified = await store.database.query<{ task: string; type: string }>(
    `select task_id as task, payload->>'failure_type' as type from notifications`,
  )
  const notifications = new Map<string, string[]>()
  for (const { task, type } of notified)
    notifications.set(task, [...(notifications.get(task) ?? []), type])
  const responded = await eventsOf(cluster, 'TaskResponded')
  const created = await eventsOf(cluster, 'NewTaskCreated')

  let posted = 0
  let reportedFailed = 0
  for (const { id, status, posting, attempts, postedAt } of rows) {
    const told = notifications.get(id) ?? []
    if (new Set(told).size !== told.length)
      duplicates.push(`task ${id} was notified twice: ${told}`)
    const times = responded.get(id)?.length ?? 0
    for (const events of [responded.get(id) ?? [], created.get(id) ?? []])
      if (events.length > 1) duplicates.push(`task ${id} is on chain twice: ${events.join(', ')}`)
    if (status === 'success' && posting === 'posted') {
      posted += 1
      if (times === 0)
        contradictions.push(
          `task ${id} is recorded as posted (${postedAt?.toISOString()}, attempt ${attempts}) but not on chain`,
        )
    } else if (told.length > 0) reportedFailed += 1
    else if (posting !== 'queued' && status !== 'pending' && status !== 'processing')
      contradictions.push(`task ${id} (${status}, posting ${posting}) has no notification`)
  }
  let found = 0
  for (const [id, answered] of ledger.tasks) {
    const row = byId.get(id)
    if (row === undefined) lost.push(`task ${id}, acknowledged as ${answered}`)
    else {
      found += 1
      if (answered !== 'sent' && answered !== row.status)
        contradictions.push(`task ${id} was answered as ${answered} but is ${row.status}`)
    }
  }
  await lookForValues(cluster, ledger, lost)
  await lookInExplorer(cluster, rows, { lost, duplicates })
  const ours = environment.environment.apiKeys.length
  const keys = await store.apiKeys.list()
  if (keys.length !== ours) lost.push(`${ours - keys.length} of ${ours} API keys`)
  return {
    acknowledged: ledger.tasks.size,
    found,
    posted,
    reportedFailed,
    lost,
    duplicates,
    stuck,
    contradictions,
  }
}

const underWay = ({ store }: Cluster) =>
  store.database.query<Row>(
    `select id, status, posting, posting_error as "postingError", posting_attempts as attempts,
       posting_at as "postedAt" from tasks
     where finished_at is null or posting = 'queued'`,
  )

async function lookForValues({ store }: Cluster, ledger: Ledger, lost: string[]): Promise<void> {
  const expectKept = (what: string, { acknowledged, possible }: Replaced, value?: string) => {
    if (acknowledged === undefined) return
    if (value === undefined || (value !== acknowledged && !possible.has(value)))
      lost.push(`${what}: the last acknowledged value is missing`)
  }
  for (const [name, replaced] of ledger.secrets) {
    const [client, data] = name.toLowerCase().split('/')
    const [row] = await store.database.query<{ envelope: string }>(
      'select envelope from secrets where policy_client = $1 and policy_data_address = $2',
      [client, data],
    )
    expectKept(`secrets of ${name}`, replaced, row?.envelope)
  }
  for (const [name, replaced] of ledger.webhooks) {
    const [row] = await store.database.query<{ url: string }>('select url from webhooks')
    expectKept(`webhook of the key ${name}`, replaced, row?.url)
  }
  const sealed = await store.database.query<{ id: string; envelope: string }>(
    'select data_ref_id as id, envelope from confidential_data',
  )
  const envelopes = new Map(sealed.map(({ id, envelope }) => [id.toLowerCase(), envelope]))
  for (const [id, envelope] of ledger.sealedData)
    if (envelopes.get(id) !== envelope) lost.push(`confidential data ${id}`)
}

/** Checks that every ended task is listed once. */
async function lookInExplorer(
  { gateways, environment }: Cluster,
  rows: readonly Row[],
  problems: { readonly lost: string[]; readonly duplicates: string[] },
): Promise<void> {
  const read = async () => {
    const listed: TaskSummary[] = []
    for (let page = 1; ; page++) {
      const response = await fetch(
        `${gateways[0]!.ready.explorerUrl}/v1/task?size=100&page=${page}`,
        { headers: { 'x-api-key': environment.apiKeys.rpc, 'x-protocol-network': 'testnet' } },
      )
      const { results, total } = (await response.json()) as ExplorerPage<TaskSummary>
      listed.push(...results)
      if (results.length === 0 || listed.length >= total) return listed.map(({ id }) => id)
    }
  }
  let ids = await read()
  let known = new Set<string>(ids)
  await until(async () => {
    ids = await read()
    known = new Set<string>(ids)
    return rows.every(({ id }) => known.has(id))
  })
  for (const { id, status, posting } of rows)
    if (!known.has(id))
      problems.lost.push(`task ${id} (${status}, posting ${posting}) is missing in the explorer`)
  if (known.size !== ids.length)
    problems.duplicates.push(`${ids.length - known.size} duplicate rows in the explorer`)
}

/** Locations of the events with this name, by task. */
async function eventsOf(
  { environment }: Cluster,
  eventName: 'NewTaskCreated' | 'TaskResponded',
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rpcUrl, taskManager } = environment.bed.chain
  const client = createPublicClient({ transport: http(rpcUrl) })
  const events = await client.getContractEvents({
    address: taskManager as Address,
    abi: taskManagerAbi,
    eventName,
    fromBlock: 0n,
  })
  const found = new Map<string, string[]>()
  for (const { args, blockNumber, blockHash, transactionHash } of events) {
    const id = (args as { taskId: string }).taskId.toLowerCase()
    const where = `${eventName} in block ${blockNumber} (${blockHash}), transaction ${transactionHash}`
    found.set(id, [...(found.get(id) ?? []), where])
  }
  return found
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + settling; performance.now() < end; ) {
    if (await holds().catch(() => false)) return
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}

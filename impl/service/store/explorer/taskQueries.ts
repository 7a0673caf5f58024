import type { ExplorerPage, TaskDetail, TaskSummary } from 'polgate-protocol/explorer.ts'
import type { Database } from '../database.ts'
import type { Unnamed } from './explorerQueries.ts'
import { bare } from './hex.ts'
import { mainList, type PagedList, policyAddressList, policyIdList } from './lists.ts'
import { type PageOptions, rowsToSkip } from './pages.ts'
import { preference } from './taskEvents.ts'
import { isoOfMilliseconds, isoOfMillisecondsOrNull, isoOfSecondsOrNull } from './times.ts'

const hex = (column: string) => `'0x' || encode(t.${column}, 'hex') as ${column}`

const shown = `t.n, ${hex('id')}, ${hex('sender')}, ${hex('client')}, ${hex('policy_id')},
  ${hex('policy_address')}, ${hex('evaluation_result')}, t.error, t.operator_errors, t.created_block,
  t.created_at, t.admitted_at, t.responded_at, t.spent_at, t.challenged_at, t.challenge_success, t.certificate,
  t.updated_at`

type TaskRow = Pick<
  TaskSummary,
  | 'id'
  | 'policy_id'
  | 'policy_address'
  | 'evaluation_result'
  | 'error'
  | 'operator_errors'
  | 'created_block'
> & {
  readonly n: number | null
  readonly sender: TaskSummary['sender_address']
  readonly client: TaskSummary['policy_client_address']
  readonly created_at: number | null
  readonly admitted_at: number | null
  readonly responded_at: number | null
  readonly spent_at: number | null
  readonly challenged_at: number | null
  readonly challenge_success: boolean | null
  readonly certificate: TaskSummary['task_responded_metadata']
  readonly updated_at: number
}

function challengeOf(row: TaskRow): TaskSummary['challenge_result'] {
  if (row.challenge_success !== null) return row.challenge_success ? 'success' : 'unsuccessful'
  return row.responded_at === null ? null : 'unchallenged'
}

/** Section 2.9. */
const summaryOf = (row: TaskRow): Unnamed<TaskSummary> => ({
  id: row.id,
  sender_address: row.sender,
  policy_client_address: row.client,
  policy_id: row.policy_id,
  policy_address: row.policy_address,
  evaluation_result: row.evaluation_result,
  error: row.error,
  operator_errors: row.operator_errors,
  created_block: row.created_block,
  task_created_at: isoOfSecondsOrNull(row.created_at) ?? isoOfMillisecondsOrNull(row.admitted_at),
  task_responded_at: isoOfSecondsOrNull(row.responded_at),
  attestation_spent_at: isoOfSecondsOrNull(row.spent_at),
  task_challenged_at: isoOfSecondsOrNull(row.challenged_at),
  challenge_result: challengeOf(row),
  task_responded_metadata: row.certificate,
  updated_at: isoOfMilliseconds(row.updated_at),
})

type ListedRow = TaskRow & { readonly total: number }

const pageOf = (
  rows: readonly ListedRow[],
  { page, size }: PageOptions,
): ExplorerPage<Unnamed<TaskSummary>> => ({
  total: rows[0]?.total ?? 0,
  page,
  size,
  results: rows.filter(({ n }) => n !== null).map(summaryOf),
})

/**
 * A page as the list was when it had `total` rows. Rows added since then at the top are above it.
 * Rows inserted between (`late`) are counted: the row that was the m-th then is now the (m + j)-th,
 * where j of them are below it. Without an upper bound the planner would expect a third of all tasks to
 * be late.
 */
function pageOfList({ ordinal, key, late }: PagedList) {
  const ofKey = key === undefined ? '' : `and ${key} = decode($5, 'hex')`
  return `with head as (
    select least(coalesce((select ${ordinal} from explorer_tasks
      where chain_id = $1 ${ofKey} and ${ordinal} is not null
      order by ${ordinal} desc limit 1), 0), $2::int8) as total
  ), since as (
    select ${ordinal} - row_number() over (order by ${ordinal}) as below
    from explorer_tasks
    where chain_id = $1 ${ofKey} 
      and ${late} > (select total from head) and ${late} <= ${Number.MAX_SAFE_INTEGER}
  ), range as (
    select total, total - $3
        + (select count(*) from since where below < total - $3) as last,
      greatest(total - $3 - $4, 0)
        + (select count(*) from since where below < greatest(total - $3 - $4, 0) + 1) as first
    from head
  )
  select range.total, t.* from range left join lateral (
    select ${shown} from explorer_tasks t
    where t.chain_id = $1 ${ofKey}
      and t.${ordinal} <= range.last and t.${ordinal} > range.first
      and (t.${late} is null or t.${late} <= range.total)
    order by t.${ordinal} desc limit $4
  ) t on true order by t.n desc`
}
const mainPage = pageOfList(mainList)
const policyIdPage = pageOfList(policyIdList)
const policyAddressPage = pageOfList(policyAddressList)

/** A task with its effective events, one per row. */
const detail = `select ${shown}, e.kind, '0x' || encode(e.transaction_hash, 'hex') as hash, e.body,
    e.task_data, r.intent, r.policy_config, r.policy_task_data
  from explorer_tasks t
  left join lateral (
    select distinct on (subject, kind) * from explorer_events
    where chain_id = t.chain_id and subject = t.id order by ${preference}
  ) e on true
  left join explorer_records r on r.chain_id = t.chain_id and r.id = t.id
  where t.chain_id = $1 and t.id = decode($2, 'hex')`

type JsonObject = Record<string, unknown>
type DetailRow = TaskRow & {
  readonly kind: number | null
  readonly hash: TaskDetail['created_txn_hash']
  readonly body: JsonObject | null
  readonly task_data: JsonObject | null
  readonly intent: JsonObject | null
  readonly policy_config: JsonObject | null
  readonly policy_task_data: JsonObject | null
}

function detailOf(row: DetailRow, rows: readonly DetailRow[]): Unnamed<TaskDetail> {
  const [created, responded, spent, challenged] = [1, 2, 3, 4].map((kind) =>
    rows.find((event) => event.kind === kind),
  )
  return {
    ...summaryOf(row),
    intent: created?.body ?? row.intent ?? {},
    policy_config: responded?.body ?? row.policy_config ?? null,
    policy_task_data: responded?.task_data ?? row.policy_task_data ?? null,
    created_txn_hash: created?.hash ?? null,
    responded_txn_hash: responded?.hash ?? null,
    challenged_txn_hash: challenged?.hash ?? null,
    spent_txn_hash: spent?.hash ?? null,
  }
}

export function explorerTaskQueries(database: Database) {
  const list = async (sql: string, chainId: number, page: PageOptions, ...more: string[]) => {
    const asOf = page.asOf ?? Number.MAX_SAFE_INTEGER
    const params = [chainId, asOf, rowsToSkip(page), page.size, ...more]
    return pageOf(await database.query<ListedRow>(sql, params, { planOnce: true }), page)
  }
  return {
    async task(chainId: number, id: string): Promise<Unnamed<TaskDetail> | undefined> {
      const rows = await database.query<DetailRow>(detail, [chainId, bare(id)], { planOnce: true })
      return rows[0] === undefined ? undefined : detailOf(rows[0], rows)
    },
    tasks: (chainId: number, page: PageOptions) => list(mainPage, chainId, page),
    tasksOfPolicyId: (chainId: number, policyId: string, page: PageOptions) =>
      list(policyIdPage, chainId, page, bare(policyId)),
    tasksOfPolicyAddress: (chainId: number, address: string, page: PageOptions) =>
      list(policyAddressPage, chainId, page, bare(address)),
  }
}

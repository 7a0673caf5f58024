import type { TaskStatus } from 'polgate-protocol/task.ts'
import type { Database } from './database.ts'

export type TaskSearch = {
  readonly status?: TaskStatus | undefined
  /** Without the brand's prefix. */
  readonly method?: string | undefined
  readonly policyClient?: string | undefined
  /** Whether the evaluation result is one of these, hex; undefined: any. */
  readonly result?: { readonly isOneOf: boolean; readonly values: readonly string[] } | undefined
  /** Part of the id, the error or the parameters, in any case. */
  readonly text?: string | undefined
  readonly limit: number
  readonly offset: number
}

export type FoundTask = {
  readonly id: string
  readonly status: TaskStatus
  readonly method: string
  readonly policyClient: string
  readonly error: string | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
  readonly posting: 'queued' | 'posted' | 'failed' | null
  /** Hex without prefix; null before the explorer has indexed it. */
  readonly evaluationResult: string | null
  /** Unix seconds. */
  readonly spentAt: number | null
  readonly challengedAt: number | null
  readonly challengeSuccess: boolean | null
}

const indexed = `explorer_tasks e on e.chain_id = k.chain_id
  and e.id = decode(substr(k.id, 3), 'hex')`

/** The page comes before the join, unless the result decides what is on it: joining all tasks takes long. */
const statement = (byResult: boolean): string => `
  with page as materialized (
    select k.* from tasks k ${byResult ? `join ${indexed}` : ''}
    where ($1::text is null or k.status = $1) and ($2::text is null or k.method = $2)
      and ($3::text is null or k.policy_client = $3)
      and ($4::text is null or k.id like $4 or k.error ilike $4 or k.request::text ilike $4)
      ${byResult ? "and (encode(e.evaluation_result, 'hex') = any($7)) = $8" : ''}
    order by k.created_at desc, k.id desc limit $5 offset $6
  )
  select k.id, k.status, k.method, k.policy_client as "policyClient", k.error,
    k.created_at as "createdAt", k.finished_at as "finishedAt", k.posting,
    encode(e.evaluation_result, 'hex') as "evaluationResult", e.spent_at as "spentAt",
    e.challenged_at as "challengedAt", e.challenge_success as "challengeSuccess"
  from page k left join ${indexed} order by k.created_at desc, k.id desc`

/** Tasks that match, newest first, with what the explorer has indexed of them. */
export const searchTasks = (
  database: Pick<Database, 'query'>,
  { status, method, policyClient, result, text, limit, offset }: TaskSearch,
): Promise<FoundTask[]> =>
  database.query<FoundTask>(statement(result !== undefined), [
    status ?? null,
    method ?? null,
    policyClient?.toLowerCase() ?? null,
    text === undefined ? null : `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`,
    limit,
    offset,
    ...(result === undefined ? [] : [result.values, result.isOneOf]),
  ])

/** How the latest tasks ended, newest first. */
export const latestOutcomes = (
  database: Pick<Database, 'query'>,
  limit: number,
): Promise<Pick<FoundTask, 'createdAt' | 'status' | 'evaluationResult'>[]> =>
  database.query(
    `with latest as materialized (
       select id, chain_id, created_at, status from tasks
       order by created_at desc, id desc limit $1
     )
     select k.created_at as "createdAt", k.status,
       encode(e.evaluation_result, 'hex') as "evaluationResult"
     from latest k left join ${indexed} order by k.created_at desc, k.id desc`,
    [limit],
  )

/** The number of all tasks. */
export async function countTasks(database: Pick<Database, 'query'>): Promise<number> {
  const [row] = await database.query<{ count: number | string }>('select count(*) from tasks')
  return Number(row?.count ?? 0)
}

import type { Queries } from '../database.ts'
import type { ChainEvent } from './chainEvent.ts'
import { arraysOf, type Column, rowsFromArrays } from './columns.ts'
import { bare, jsonOrNull } from './hex.ts'

export type TaskEventKind = 'created' | 'responded' | 'spent' | 'challenged'

/** An event of a task without its large members, which lists do not need. Hex is bare. */
export type TaskEvent = {
  readonly kind: TaskEventKind
  readonly subject: string
  readonly block: number
  readonly logIndex: number
  /** Time of its block, unix seconds. */
  readonly at: number
  /** created and responded: the block that the task names (`taskCreatedBlock`). */
  readonly taskBlock: number | null
  readonly flag: boolean | null
  readonly party: string | null
  readonly client: string | null
  readonly policyId: string | null
  readonly evaluationResult: string | null
  /** JSON text. */
  readonly certificate: string | null
}

const kinds: readonly TaskEventKind[] = ['created', 'responded', 'spent', 'challenged']
export const kindNumber = (kind: TaskEventKind): number => kinds.indexOf(kind) + 1
export const kindOf = (number: number): TaskEventKind => kinds[number - 1] as TaskEventKind

export type TaskChainEvent = Exclude<ChainEvent, { readonly kind: 'policyDeployed' }>

/** @param at time of the event's block, unix seconds */
export function taskEventOf(event: TaskChainEvent, at: number): TaskEvent {
  const { kind, blockNumber: block, logIndex } = event
  const common = { kind, subject: bare(event.taskId), block, logIndex, at }
  const unset = {
    taskBlock: null,
    flag: null,
    party: null,
    client: null,
    policyId: null,
    evaluationResult: null,
    certificate: null,
  }
  switch (event.kind) {
    case 'created':
      return {
        ...common,
        ...unset,
        taskBlock: event.createdBlock,
        party: bare(event.sender),
        client: bare(event.policyClient),
      }
    case 'responded':
      return {
        ...common,
        ...unset,
        taskBlock: blockOrNull(event.certificate.reference_block),
        party: bare(event.policyAddress),
        policyId: bare(event.policyId),
        evaluationResult: bare(event.evaluationResult),
        certificate: JSON.stringify(event.certificate),
      }
    case 'spent':
      return { ...common, ...unset, client: bare(event.policyClient), flag: event.allowed }
    case 'challenged':
      return { ...common, ...unset, party: bare(event.challenger), flag: event.successful }
  }
}

const blockOrNull = (value: unknown): number | null =>
  Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : null

const columns: readonly Column[] = [
  ['block', 'int8'],
  ['task_block', 'int8'],
  ['log_index', 'int4'],
  ['kind', 'int2'],
  ['flag', 'boolean'],
  ['transaction_hash', 'bytea'],
  ['subject', 'bytea'],
  ['party', 'bytea'],
  ['client', 'bytea'],
  ['policy_id', 'bytea'],
  ['evaluation_result', 'bytea'],
  ['certificate', 'json'],
  ['body', 'json'],
  ['task_data', 'json'],
]
const insert = `insert into explorer_events (chain_id, ${columns.map(([name]) => name).join(', ')})
  select $1, given.* from (${rowsFromArrays(columns, 2)}) given`

function bodyOf(event: TaskChainEvent): string | null {
  if (event.kind === 'created') return jsonOrNull(event.intent)
  return event.kind === 'responded' ? jsonOrNull(event.policyConfig) : null
}

export async function insertTaskEvents(
  tx: Queries,
  chainId: number,
  events: readonly { readonly event: TaskEvent; readonly whole: TaskChainEvent }[],
): Promise<void> {
  if (events.length === 0) return
  const arrays = arraysOf(events, columns, ({ event, whole }) => [
    event.block,
    event.taskBlock,
    event.logIndex,
    kindNumber(event.kind),
    event.flag,
    bare(whole.transactionHash),
    event.subject,
    event.party,
    event.client,
    event.policyId,
    event.evaluationResult,
    event.certificate,
    bodyOf(whole),
    whole.kind === 'responded' ? jsonOrNull(whole.policyTaskData) : null,
  ])
  await tx.query(insert, [chainId, ...arrays])
}

/**
 * Orders events of one kind so that the effective one comes first: for challenges a successful one,
 * else the latest; for every other kind the first.
 */
export const preference = `subject, kind, (kind = 4 and flag) desc,
  case when kind = 4 then -block else block end, case when kind = 4 then -log_index else log_index end`

/** Chooses between two events by the same order as `preference`. */
export function counts(one: TaskEvent, other: TaskEvent): TaskEvent {
  const oneIsEarlier =
    one.block < other.block || (one.block === other.block && one.logIndex < other.logIndex)
  if (one.kind !== 'challenged') return oneIsEarlier ? one : other
  if (one.flag !== other.flag) return one.flag === true ? one : other
  return oneIsEarlier ? other : one
}

type EventRow = Omit<TaskEvent, 'kind'> & { readonly kind: number }

/** Effective events of these tasks in blocks before `before`. @param ids bare hex */
export async function earlierEvents(
  tx: Queries,
  chainId: number,
  ids: readonly string[],
  before: number,
): Promise<TaskEvent[]> {
  const rows = await tx.query<EventRow>(
    `select e.kind, encode(e.subject, 'hex') as subject, e.block, e.log_index as "logIndex",
       b.timestamp as at, e.task_block as "taskBlock", e.flag, encode(e.party, 'hex') as party,
       encode(e.client, 'hex') as client, encode(e.policy_id, 'hex') as "policyId",
       encode(e.evaluation_result, 'hex') as "evaluationResult", e.certificate::text as certificate
     from (
       select distinct on (subject, kind) e.* from unnest($2::text[]) as asked(id)
       join explorer_events e on e.chain_id = $1 and e.subject = decode(asked.id, 'hex')
       where e.block < $3 order by ${preference}
     ) e join explorer_blocks b on b.chain_id = $1 and b.number = e.block`,
    [chainId, ids, before],
  )
  return rows.map((row) => ({ ...row, kind: kindOf(row.kind) }))
}

import type { TaskResult, TaskStatus } from 'polgate-protocol/task.ts'
import { type Queries, storableText } from '../database.ts'
import { arraysOf, type Column, rowsFromArrays } from './columns.ts'
import { bare, bareOrNull, jsonOrNull } from './hex.ts'
import type { GatewayRecord } from './projection.ts'

/** An ended task as gateways store it, as far as the explorer shows it. */
export type EndedTask = {
  readonly id: string
  readonly policyClient: string
  readonly status: TaskStatus
  readonly request: unknown
  readonly result: TaskResult | null
  readonly error: string | null
  readonly operatorErrors: readonly unknown[] | null
  /** When the gateway admitted the task. */
  readonly createdAt: Date
  /** The policy of the client at the task's block; null when the task ended before it was read. */
  readonly policyId: string | null
  readonly policyAddress: string | null
  /** The block that the task names; null in rows of an earlier release. */
  readonly referenceBlock: number | null
  readonly posting: 'queued' | 'posted' | 'failed' | null
  readonly postingError: string | null
}

export const endedTaskColumns = `id, policy_client as "policyClient", status, request, result, error,
  operator_errors as "operatorErrors", created_at as "createdAt", policy_id as "policyId",
  policy_address as "policyAddress", reference_block as "referenceBlock", posting, posting_error as "postingError"`

type WholeRecord = GatewayRecord & {
  readonly intent: string
  readonly policyConfig: string | null
  readonly policyTaskData: string | null
}

/** Callers and chains use either case of hex; the explorer shows lower case. */
const lowerHex = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'string' && /^0x[0-9a-fA-F]*$/.test(inner) ? inner.toLowerCase() : inner,
    ),
  ) as T

type SentIntent = { readonly chain_id?: unknown } & Readonly<Record<string, unknown>>

/** An intent as the explorer shows it (section 2.2); the request has passed its schema. */
function intentOf({ chain_id, function_signature, ...rest }: SentIntent) {
  const chainId = BigInt(String(chain_id))
  return {
    ...lowerHex(rest),
    // Like the events of the chain: a number if it fits in one.
    chainId: chainId <= Number.MAX_SAFE_INTEGER ? Number(chainId) : `0x${chainId.toString(16)}`,
    functionSignature: lowerHex(function_signature ?? null),
  }
}

/** An earlier release wrote 0 for a block that it had not read. */
const blockOf = ({ referenceBlock, result }: EndedTask): number | null =>
  referenceBlock ?? (result?.task?.taskCreatedBlock || null)

/** Undefined for a record without a sender, which cannot be shown. */
export function recordOf(task: EndedTask): WholeRecord | undefined {
  const intent = (task.request as { intent?: SentIntent } | null)?.intent
  if (typeof intent?.from !== 'string') return undefined
  const response = task.result?.task_response
  return {
    id: bare(task.id),
    // A success that is still queued for posting is shown once it is seen on the chain.
    alone: task.status !== 'success' || task.posting === null || task.posting === 'failed',
    createdBlock: blockOf(task),
    admittedAt: task.createdAt.getTime(),
    sender: bare(intent.from),
    client: bare(task.policyClient),
    policyId: bareOrNull(response?.policy_id ?? task.policyId),
    policyAddress: bareOrNull(response?.policy_address ?? task.policyAddress),
    evaluationResult:
      response === undefined ? null : Buffer.from(response.evaluation_result).toString('hex'),
    error: task.error,
    postingError: task.posting === 'failed' ? (task.postingError ?? null) : null,
    operatorErrors: jsonOrNull(task.operatorErrors),
    intent: JSON.stringify(intentOf(intent)),
    policyConfig: jsonOrNull(lowerHex(response?.policy_config ?? null)),
    policyTaskData: jsonOrNull(lowerHex(response?.policy_task_data ?? null)),
  }
}

const columns: readonly Column[] = [
  ['created_block', 'int8'],
  ['admitted_at', 'int8'],
  ['alone', 'boolean'],
  ['id', 'bytea'],
  ['sender', 'bytea'],
  ['client', 'bytea'],
  ['policy_id', 'bytea'],
  ['policy_address', 'bytea'],
  ['evaluation_result', 'bytea'],
  ['error', 'text'],
  ['posting_error', 'text'],
  ['operator_errors', 'json'],
  ['intent', 'json'],
  ['policy_config', 'json'],
  ['policy_task_data', 'json'],
]
const names = columns.map(([name]) => name)
const upsert = `insert into explorer_records (chain_id, ${names.join(', ')})
  select $1, given.* from (${rowsFromArrays(columns, 2)}) given
  on conflict (chain_id, id) do update set
    ${names
      .filter((name) => name !== 'id')
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')}`

export async function writeRecords(
  tx: Queries,
  chainId: number,
  records: readonly WholeRecord[],
): Promise<void> {
  if (records.length === 0) return
  const text = (value: string | null) => (value === null ? null : storableText(value))
  const arrays = arraysOf(records, columns, (record) => [
    record.createdBlock,
    record.admittedAt,
    record.alone,
    record.id,
    record.sender,
    record.client,
    record.policyId,
    record.policyAddress,
    record.evaluationResult,
    text(record.error),
    text(record.postingError),
    record.operatorErrors,
    record.intent,
    record.policyConfig,
    record.policyTaskData,
  ])
  await tx.query(upsert, [chainId, ...arrays])
}

/** @param ids bare hex */
export async function recordsOf(
  tx: Queries,
  chainId: number,
  ids: readonly string[],
): Promise<Map<string, GatewayRecord>> {
  const rows = await tx.query<GatewayRecord>(
    `select encode(r.id, 'hex') as id, alone, created_block as "createdBlock", admitted_at as "admittedAt",
       encode(sender, 'hex') as sender, encode(client, 'hex') as client,
       encode(policy_id, 'hex') as "policyId", encode(policy_address, 'hex') as "policyAddress",
       encode(evaluation_result, 'hex') as "evaluationResult", error,
       posting_error as "postingError", operator_errors::text as "operatorErrors"
     from unnest($2::text[]) as asked(id)
     join explorer_records r on r.chain_id = $1 and r.id = decode(asked.id, 'hex')`,
    [chainId, ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

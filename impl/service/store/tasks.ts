import type { Clock } from 'polgate-protocol/clock.ts'
import type { TaskFailureNotification } from 'polgate-protocol/notification.ts'
import type { Address, Bytes32, Data } from 'polgate-protocol/scalars.ts'
import type { OperatorError, TaskResult, TaskStatus } from 'polgate-protocol/task.ts'
import type { OperatorResponse } from 'polgate-protocol/taskUpdate.ts'
import { toHex } from 'viem'
import { type Database, type Queries, storableText } from './database.ts'
import { insertNotification } from './notifications.ts'
import { selectUsedKey, type UsedKey, usedKeyParams } from './usedKey.ts'

/** A stored task: everything needed to continue or end it after a restart. */
export type TaskRecord = {
  readonly id: Bytes32
  /** Lower case. */
  readonly policyClient: Address
  readonly intentHash: Bytes32
  readonly nonce: number
  /** The block that the task is evaluated at (decision T9); null in rows of an earlier release. */
  readonly referenceBlock: number | null
  readonly status: TaskStatus
  /** Without the brand's prefix: `createTask`, `sendTask`. */
  readonly method: string
  readonly apiKeyId: string
  /** The validated parameters, JSON. */
  readonly request: unknown
  /** When the task times out. */
  readonly deadline: Date
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly finishedAt: Date | null
  readonly result: TaskResult | null
  readonly error: string | null
  readonly operatorErrors: readonly OperatorError[] | null
  /** The operator responses stored so far; null before the first. */
  readonly operatorResponses: readonly OperatorResponse[] | null
}

/** How a task ended, for a comparison with other decisions. */
export type DecidedTask = Pick<TaskRecord, 'id' | 'status' | 'createdAt' | 'error'> & {
  /** The evaluation result that was signed; null if the task failed, or runs. */
  readonly result: Data | null
}

export type AdmitOptions = {
  readonly policyClient: Address
  readonly intentHash: Bytes32
  /** The reference block, which is part of the task id. */
  readonly referenceBlock?: number | undefined
  /** Computes the task id (decision T3) from the nonce of the new task. */
  readonly idFor: (nonce: number) => Bytes32
  readonly method: string
  readonly apiKeyId: string
  /** Absent: whether the key is still valid is not checked. */
  readonly key?: UsedKey | undefined
  /** The owner addresses of the key, lower case. Default: none. */
  readonly owners?: readonly Address[] | undefined
  /** JSON; large numbers are strings. */
  readonly request: unknown
  readonly deadline: Date
  /** The chain of the task. */
  readonly chainId?: number | undefined
  /** The worker that executes it, in the column `carrier`: the holder of the lease `gateway/{worker}`. */
  readonly worker?: string | undefined
  /** Nobody is told of the task before it has ended, as with `createTask`: see `QueryOptions`. */
  readonly unacknowledged?: boolean | undefined
}

/**
 * `duplicate`: a task of the same client and intent is pending or processing, of the same key or of one
 * with a common owner address (decision T4). `key-changed`: the key was deleted or rotated, or has expired.
 */
export type Admission =
  | { readonly outcome: 'admitted'; readonly task: TaskRecord }
  | { readonly outcome: 'duplicate'; readonly existing: Bytes32 }
  | { readonly outcome: 'key-changed' }

/** The policy that a task is evaluated with. */
export type TaskPolicy = { readonly id: Bytes32; readonly address: Address }

export type FinishOptions = {
  readonly status: 'success' | 'failed' | 'timeout'
  readonly result: TaskResult
  readonly error?: string | undefined
  readonly operatorErrors?: readonly OperatorError[] | undefined
  /** All operator responses; absent when this process knows no more than is stored. */
  readonly operatorResponses?: readonly OperatorResponse[] | undefined
  /** Stored in the same transaction, so that no failure lacks its notification. */
  readonly notification?: TaskFailureNotification | undefined
  /** The policy of the client, if the task got far enough to read it. */
  readonly policy?: TaskPolicy | undefined
  /** Ends the task only if this gateway owns it; absent: whichever gateway owns it. */
  readonly worker?: string | undefined
  /** Whether to post the result on chain: it is queued in the same transaction. */
  readonly post?: boolean | undefined
}

export const taskColumns = `id, policy_client as "policyClient", intent_hash as "intentHash", nonce,
  reference_block as "referenceBlock", status, method, api_key_id as "apiKeyId", request, deadline, created_at as "createdAt", updated_at as "updatedAt",
  finished_at as "finishedAt", result, error, operator_errors as "operatorErrors",
  operator_responses as "operatorResponses"`

const lower = <T extends string>(text: T): T => text.toLowerCase() as T

/**
 * Operator responses accumulate: the longer list contains the shorter, whichever is written last.
 */
const isLonger = (given: string): string =>
  `json_array_length(coalesce(${given}::json, '[]')) > json_array_length(coalesce(operator_responses, '[]'))`

type Seen = {
  readonly nonce: number
  readonly existing: Bytes32 | null
  readonly keyValid: boolean
}

/** Each try fails only because a concurrent one has succeeded. */
const maxAdmissionTries = 100

/** Statements that every task runs; they find rows by a unique key, whatever the tables contain. */
const hot = { planOnce: true }
/** Statements whose outcome nobody is told of before the task ends. */
const step = { ...hot, unacknowledged: true }

/** Ends a task that has not ended and is of this gateway. @returns the API key that it belongs to */
async function endTask(
  queries: Queries,
  id: Bytes32,
  options: FinishOptions,
  now: Date,
): Promise<string | undefined> {
  const [row] = await queries.query<{ apiKeyId: string }>(
    `update tasks set status = $2, result = $3, error = $4, operator_errors = $5,
       operator_responses = case when ${isLonger('$11')} then $11::json else operator_responses end,
       updated_at = $6, finished_at = $6, explored_at = null,
       policy_id = coalesce($9, policy_id), policy_address = coalesce($10, policy_address),
       posting = case when $8::bool then 'queued' end, posting_at = case when $8::bool then $6::timestamptz end
     where id = $1 and finished_at is null and ($7::text is null or carrier = $7) returning api_key_id as "apiKeyId"`,
    [
      lower(id),
      options.status,
      JSON.stringify(options.result),
      options.error === undefined ? null : storableText(options.error),
      options.operatorErrors === undefined ? null : JSON.stringify(options.operatorErrors),
      now,
      options.worker ?? null,
      options.post ?? false,
      options.policy?.id ?? null,
      options.policy?.address ?? null,
      options.operatorResponses === undefined ? null : JSON.stringify(options.operatorResponses),
    ],
    hot,
  )
  return row?.apiKeyId
}

/** Storage of tasks (section 3, decisions T1 to T5). */
export const taskQueries = (database: Database, clock: Clock) => ({
  /**
   * Stores a task as pending. The nonce is the number of earlier tasks of this client and intent hash
   * (decision T2), whichever key submitted them. The unique nonce also orders concurrent admissions:
   * each takes the nonce after the last one that it saw, so of two that did not see each other one is
   * stored, and the other looks again.
   */
  async admit(options: AdmitOptions): Promise<Admission> {
    const client = lower(options.policyClient)
    const hash = lower(options.intentHash)
    const owners = (options.owners ?? []).map(lower)
    for (let tries = 1; tries <= maxAdmissionTries; tries += 1) {
      // The last task and the unfinished ones: an intent may have many others.
      const [seen] = await database.query<Seen>(
        `select coalesce((select nonce from tasks where policy_client = $1 and intent_hash = $2
             order by nonce desc limit 1), -1) + 1 as nonce,
           (select id from tasks where policy_client = $1 and intent_hash = $2
             and status in ('pending', 'processing')
             and (api_key_id = $3 or owners is null or owners && $4::text[]) limit 1) as existing,
           $5::text is null or exists (${selectUsedKey(5)}) as "keyValid"`,
        [
          ...[client, hash, options.apiKeyId, owners],
          ...usedKeyParams(options.key, new Date(clock())),
        ],
        step,
      )
      const { nonce, existing, keyValid } = seen!
      if (!keyValid) return { outcome: 'key-changed' }
      if (existing !== null) return { outcome: 'duplicate', existing }
      const [task] = await database.query<TaskRecord>(
        `insert into tasks (id, policy_client, intent_hash, nonce, status, method, api_key_id,
           request, deadline, created_at, updated_at, chain_id, carrier, reference_block, owners)
         values ($1, $2, $3, $4, 'pending', $5, $6, $7, $8, $9, $9, $10, $11, $12, $13)
         on conflict do nothing returning ${taskColumns}`,
        [
          lower(options.idFor(nonce)),
          client,
          hash,
          nonce,
          options.method,
          options.apiKeyId,
          JSON.stringify(options.request),
          options.deadline,
          new Date(clock()),
          options.chainId ?? null,
          options.worker ?? null,
          options.referenceBlock ?? null,
          owners,
        ],
        options.unacknowledged ? step : hot,
      )
      if (task !== undefined) return { outcome: 'admitted', task }
    }
    throw new Error(`no nonce is free for the intent ${hash} of ${client}`)
  },

  /**
   * pending → processing. False when the task is unknown, past that, or owned by another gateway.
   */
  async markProcessing(id: Bytes32, worker?: string): Promise<boolean> {
    const rows = await database.query(
      `update tasks set status = 'processing', updated_at = $2
       where id = $1 and status = 'pending' and ($3::text is null or carrier = $3) returning id`,
      [lower(id), new Date(clock()), worker ?? null],
      step,
    )
    return rows.length === 1
  },

  /** Stores the operator responses so far, for a gateway that takes over or serves a subscriber. */
  async persistResponses(
    id: Bytes32,
    worker: string,
    responses: readonly OperatorResponse[],
  ): Promise<void> {
    await database.query(
      `update tasks set operator_responses = $3::json
       where id = $1 and carrier = $2 and finished_at is null and ${isLonger('$3')}`,
      [lower(id), worker, JSON.stringify(responses)],
      step,
    )
  },

  /**
   * Ends a task. False, without any change, when it has already ended or another gateway owns it:
   * the three end states are final (decision T5), so of two concurrent calls one wins and one
   * notification is stored.
   */
  async finish(id: Bytes32, options: FinishOptions): Promise<boolean> {
    const now = new Date(clock())
    const { notification } = options
    if (notification === undefined) return (await endTask(database, id, options, now)) !== undefined
    return await database.transaction(async (tx) => {
      const apiKeyId = await endTask(tx, id, options, now)
      if (apiKeyId === undefined) return false
      await insertNotification(tx, notification, apiKeyId, now)
      return true
    })
  },

  get: (id: Bytes32): Promise<TaskRecord | undefined> => getTask(database, id),

  /** Unfinished tasks, oldest first: after a restart they are continued or ended. */
  listUnfinished: (limit = 1000): Promise<TaskRecord[]> =>
    database.query<TaskRecord>(
      `select ${taskColumns} from tasks where finished_at is null order by created_at, id limit $1`,
      [limit],
    ),

  /** The latest tasks of a client, the newest first. */
  async latestOfClient(policyClient: Address, limit: number): Promise<DecidedTask[]> {
    const rows = await database.query<
      Omit<DecidedTask, 'result'> & { readonly result: readonly number[] | null }
    >(
      `select id, status, created_at as "createdAt", error,
         result #> '{task_response,evaluation_result}' as result
       from tasks where policy_client = $1 order by created_at desc, id desc limit $2`,
      [lower(policyClient), limit],
    )
    return rows.map((row) => ({
      ...row,
      result: row.result && toHex(Uint8Array.from(row.result)),
    }))
  },

  /** Those of these tasks that have ended. */
  async listEnded(ids: readonly Bytes32[]): Promise<Bytes32[]> {
    const rows = await database.query<{ id: Bytes32 }>(
      'select id from tasks where id = any($1) and finished_at is not null',
      [ids.map(lower)],
    )
    return rows.map(({ id }) => id)
  },
})

export type TaskQueries = ReturnType<typeof taskQueries>

const getTask = async (queries: Queries, id: Bytes32): Promise<TaskRecord | undefined> =>
  (
    await queries.query<TaskRecord>(`select ${taskColumns} from tasks where id = $1`, [lower(id)])
  )[0]

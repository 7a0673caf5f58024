import type { Clock } from 'polgate-protocol/clock.ts'
import type { FailureType, TaskFailureNotification } from 'polgate-protocol/notification.ts'
import { type Database, type Queries, storableText } from './database.ts'

/**
 * How the delivery to the webhook ended: a 2xx response · another final response (section 6.2) ·
 * no retries left, or a payload that can no longer be signed · no webhook for it.
 */
export type DeliveryOutcome = 'delivered' | 'refused' | 'exhausted' | 'unwanted'

/** A pending or settled notification (decision W7). */
export type NotificationRecord = {
  readonly id: string
  readonly apiKeyId: string
  readonly payload: TaskFailureNotification
  /** Completed attempts; one that a restart cut off does not count. */
  readonly attempts: number
  readonly nextAttemptAt: Date
  readonly settledAt: Date | null
  readonly outcome: DeliveryOutcome | null
  /** Of the last attempt; never contains a secret, a path or a query. */
  readonly lastError: string | null
}

/** A notification leased to this process, with its destination. */
export type ClaimedNotification = {
  readonly id: string
  readonly apiKeyId: string
  /** The JSON text of the payload: the same bytes on every attempt. */
  readonly body: string
  readonly attempts: number
  readonly nextAttemptAt: Date
  readonly url: string
  readonly sealedSecret: Uint8Array | null
  readonly timeoutSeconds: number
  readonly maxRetries: number
  readonly failureTypes: readonly FailureType[] | null
}

export type ClaimOptions = {
  /** Maximum in total and for each key. */
  readonly limit: number
  readonly perKey: number
  /** Different maximum for these keys. */
  readonly ofKey?: ReadonlyMap<string, number> | undefined
  /** How long the claim outlasts the timeout of the webhook, milliseconds. */
  readonly marginMs: number
  /** Notifications that this process is sending: their claims last, whatever the clock says. */
  readonly excluding?: readonly string[] | undefined
}

/** How an attempt ended; `attempts` counts it. */
export type AttemptEnd = {
  readonly id: string
  readonly attempts: number
  readonly error: string | null
} & ({ readonly outcome: DeliveryOutcome } | { readonly retryAt: Date })

/**
 * Longer than a delay between attempts, and than a claim. What is later was stored before the clock went
 * back, and is due.
 */
const longestDelayMs = 60_000
const longestClaimMs = 600_000

const columns = `id, api_key_id as "apiKeyId", payload, attempts,
  next_attempt_at as "nextAttemptAt", settled_at as "settledAt", outcome,
  last_error as "lastError"`

const claimedColumns = `n.id, n.api_key_id as "apiKeyId", n.payload::text as body,
  n.attempts, n.next_attempt_at as "nextAttemptAt", w.url, w.sealed_secret as "sealedSecret",
  w.timeout_seconds as "timeoutSeconds", w.max_retries as "maxRetries",
  w.failure_types as "failureTypes"`

/**
 * Stores a notification; call it within the transaction that ends the task. Without a webhook of
 * the key that subscribes to it, it is stored as settled. The WebSocket is notified separately.
 */
export async function insertNotification(
  tx: Queries,
  notification: TaskFailureNotification,
  apiKeyId: string,
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into notifications (id, task_id, api_key_id, payload, created_at, next_attempt_at,
       settled_at, outcome)
     select $1, $2, $3, $4, $5::timestamptz, $5, case when wanted then null else $5 end,
       case when wanted then null else 'unwanted' end
     from (select exists (select 1 from webhooks where api_key_id = $3
       and (failure_types is null or $6 = any(failure_types))) as wanted) as webhook`,
    [
      notification.notification_id,
      notification.task_id.toLowerCase(),
      apiKeyId,
      JSON.stringify(notification),
      now,
      notification.failure_type,
    ],
  )
}

/** The outbox of failure notifications (sections 2.8 and 6.2). */
export const notificationQueries = (database: Database, clock: Clock) => ({
  /** Due now and not settled, oldest first. */
  listDue: (limit = 100): Promise<NotificationRecord[]> =>
    database.query<NotificationRecord>(
      `select ${columns} from notifications where settled_at is null and next_attempt_at <= $1
       order by next_attempt_at, id limit $2`,
      [new Date(clock()), limit],
    ),

  forTask: (taskId: string): Promise<NotificationRecord[]> =>
    database.query<NotificationRecord>(
      `select ${columns} from notifications where task_id = $1 order by created_at, id`,
      [taskId.toLowerCase()],
    ),

  /** The latest, of all keys; newest first. */
  latest: (limit: number): Promise<(NotificationRecord & { readonly createdAt: Date })[]> =>
    database.query(
      `select ${columns}, created_at as "createdAt" from notifications
       order by created_at desc, id desc limit $1`,
      [limit],
    ),

  /**
   * A notification with its destination, settled or not, for a delivery outside of the schedule; nothing is claimed.
   * Undefined if there is none, or its key has no webhook.
   */
  async withTarget(id: string): Promise<ClaimedNotification | undefined> {
    const [row] = await database.query<ClaimedNotification>(
      `select ${claimedColumns} from notifications n
       join webhooks w on w.api_key_id = n.api_key_id where n.id = $1`,
      [id],
    )
    return row
  },

  /**
   * Claims due notifications of keys with a webhook, oldest first. No other gateway on the database
   * gets them until the claim expires.
   */
  async claim(options: ClaimOptions): Promise<ClaimedNotification[]> {
    const ofKey = [...(options.ofKey ?? [])]
    const rows = await database.query<ClaimedNotification>(
      `with due as materialized (
         select candidate.id, candidate.next_attempt_at
         from (
           select w.api_key_id, coalesce(own.room, $4) as room from webhooks w
           left join unnest($5::text[], $6::int4[]) as own (api_key_id, room)
             on own.api_key_id = w.api_key_id
         ) as key
         cross join lateral (
           select id, next_attempt_at from notifications
           where api_key_id = key.api_key_id and settled_at is null and id <> all($7::text[])
             and (next_attempt_at <= $1 or next_attempt_at > $8)
             and (claimed_until is null or claimed_until <= $1 or claimed_until > $9)
           order by next_attempt_at, id limit key.room for update skip locked
         ) as candidate
         order by candidate.next_attempt_at, candidate.id limit $2
       )
       update notifications n
       set claimed_until = $1::timestamptz + w.timeout_seconds * interval '1 second'
         + $3 * interval '1 millisecond'
       from due, webhooks w
       where n.id = due.id and w.api_key_id = n.api_key_id
       returning ${claimedColumns}`,
      [
        new Date(clock()),
        options.limit,
        options.marginMs,
        options.perKey,
        ofKey.map(([key]) => key),
        ofKey.map(([, room]) => Math.max(0, room)),
        [...(options.excluding ?? [])],
        new Date(clock() + longestDelayMs),
        new Date(clock() + longestClaimMs),
      ],
    )
    return rows.sort((a, b) => a.nextAttemptAt.getTime() - b.nextAttemptAt.getTime())
  },

  /** Ends claims with their outcome. A notification that is already settled does not change. */
  async endAttempts(ends: readonly AttemptEnd[]): Promise<void> {
    await database.query(
      `update notifications n set attempts = made.attempts, last_error = made.error,
         claimed_until = null, outcome = made.outcome,
         settled_at = case when made.outcome is null then null else $1::timestamptz end,
         next_attempt_at = coalesce(made.retry_at, n.next_attempt_at)
       from unnest($2::text[], $3::int4[], $4::text[], $5::text[], $6::timestamptz[])
         as made (id, attempts, error, outcome, retry_at)
       where n.id = made.id and n.settled_at is null and n.attempts <= made.attempts`,
      [
        new Date(clock()),
        ends.map(({ id }) => id),
        ends.map(({ attempts }) => attempts),
        ends.map(({ error }) => (error === null ? null : storableText(error).slice(0, 256))),
        ends.map((end) => ('outcome' in end ? end.outcome : null)),
        ends.map((end) => ('outcome' in end ? null : end.retryAt.toISOString())),
      ],
    )
  },

  /** Releases claims without counting an attempt. */
  async release(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    await database.query(
      'update notifications set claimed_until = null where id = any($1) and settled_at is null',
      [[...ids]],
    )
  },

  /** Releases every claim, after a crash. Only where no other process delivers. */
  async releaseAll(): Promise<void> {
    await database.query(
      `update notifications set claimed_until = null
       where settled_at is null and claimed_until is not null`,
    )
  },

  /** Settles pending notifications of keys whose webhook has been removed. */
  async settleOrphans(): Promise<void> {
    await database.query(
      `update notifications n set settled_at = $1, outcome = 'unwanted', claimed_until = null
       where settled_at is null
         and not exists (select 1 from webhooks w where w.api_key_id = n.api_key_id)`,
      [new Date(clock())],
    )
  },

  /** When the next notification that is not due yet becomes due. */
  async nextDue(): Promise<Date | undefined> {
    const [row] = await database.query<{ at: Date | null }>(
      `select min(next_attempt_at) as at from notifications
       where settled_at is null and next_attempt_at > $1`,
      [new Date(clock())],
    )
    return row?.at ?? undefined
  },
})

export type NotificationQueries = ReturnType<typeof notificationQueries>

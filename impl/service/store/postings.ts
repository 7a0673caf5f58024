import type { Clock } from 'polgate-protocol/clock.ts'
import type { TaskFailureNotification } from 'polgate-protocol/notification.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { TaskResult } from 'polgate-protocol/task.ts'
import { type Database, storableText } from './database.ts'
import { type GasBurner, gasBurnerQueries } from './gasBurners.ts'
import { insertNotification } from './notifications.ts'

/** A result queued for posting on chain. */
export type QueuedPosting = {
  readonly id: Bytes32
  readonly result: TaskResult
  /** The key that created the task. */
  readonly apiKeyId: string
  /** Earlier attempts. */
  readonly attempts: number
}

/** The end of the previous page of posted results. */
export type PostedCursor = { readonly at: Date; readonly id: Bytes32 }

export type PostedResult = PostedCursor & { readonly result: TaskResult }

/** State of the posting queue of a chain. */
export type QueueState = {
  /** Queued results, including those in flight. */
  readonly waiting: number
  /** How many of them failed before, or were lost by the chain. */
  readonly troubled: number
  /** Error of the last of these. */
  readonly error: string | undefined
  /** When the oldest due posting became due. */
  readonly dueSince: Date | undefined
  /** The latest of those whose results are posted apart from others. */
  readonly gasBurners: readonly GasBurner[]
}

type Attempt = { readonly attempts: number; readonly error: string }

/**
 * Longer than a pause between attempts. What is due later was stored before the clock went back, and is
 * due now.
 */
const longestPauseMs = 120_000

/** Errors are truncated to this number of characters. */
const maxError = 1_000
/** How many gas burners the state of the queue names. */
const reportedBurners = 20

/**
 * The queue of results to post on chain (decision T10). A task that ends puts its result into it.
 */
export const postingQueries = (database: Database, clock: Clock) => ({
  /** Due postings, oldest first, for the only poster of a chain's account. */
  due: (options: {
    readonly chainId: number
    readonly limit: number
    /** Postings in flight. */
    readonly excluding: readonly Bytes32[]
  }): Promise<QueuedPosting[]> =>
    database.query<QueuedPosting>(
      `select id, result, api_key_id as "apiKeyId", posting_attempts as attempts from tasks
       where posting = 'queued' and chain_id = $1 and id <> all($3::text[])
         and (posting_at <= $2 or posting_at > $5)
       order by posting_at, id limit $4`,
      [
        options.chainId,
        new Date(clock()),
        [...options.excluding],
        options.limit,
        new Date(clock() + longestPauseMs),
      ],
    ),

  /** When the next posting is due, without the excluded ones. */
  async nextDue(chainId: number, excluding: readonly Bytes32[] = []): Promise<Date | undefined> {
    const [row] = await database.query<{ at: Date }>(
      `select case when posting_at > $3 then $4 else posting_at end as at from tasks
       where posting = 'queued' and chain_id = $1 and id <> all($2::text[])
       order by posting_at limit 1`,
      [chainId, [...excluding], new Date(clock() + longestPauseMs), new Date(clock())],
    )
    return row?.at
  },

  /** Marks results as posted by one more attempt. */
  async posted(postings: readonly Pick<QueuedPosting, 'id'>[]): Promise<void> {
    if (postings.length === 0) return
    await database.query(
      `update tasks set posting = 'posted', posting_attempts = posting_attempts + 1,
         posting_error = null, posting_at = $2
       where id = any($1) and posting = 'queued'`,
      [postings.map(({ id }) => id), new Date(clock())],
      { planOnce: true },
    )
  },

  /** A page of posted results, latest first. */
  lastPosted: (options: {
    readonly chainId: number
    readonly limit: number
    readonly before?: PostedCursor | undefined
  }): Promise<PostedResult[]> =>
    database.query<PostedResult>(
      `select id, posting_at as at, result from tasks
       where posting = 'posted' and chain_id = $1
         and ($2::timestamptz is null or (posting_at, id) < ($2, $3))
       order by posting_at desc, id desc limit $4`,
      [options.chainId, options.before?.at ?? null, options.before?.id ?? '', options.limit],
    ),

  /** Queues results again that the chain has lost. @returns how many had been posted */
  async requeue(ids: readonly Bytes32[], error: string): Promise<number> {
    const rows = await database.query(
      `update tasks set posting = 'queued', posting_attempts = 0, posting_error = $2, posting_at = $3
       where id = any($1) and posting = 'posted' returning id`,
      [[...ids], storableError(error), new Date(clock())],
    )
    return rows.length
  },

  async state(chainId: number): Promise<QueueState> {
    const [row] = await database.query<{ waiting: number; troubled: number; due: Date | null }>(
      `select count(*)::int4 as waiting, count(posting_error)::int4 as troubled,
         min(posting_at) filter (where posting_at <= $2) as due
       from tasks where posting = 'queued' and chain_id = $1`,
      [chainId, new Date(clock())],
    )
    const { waiting = 0, troubled = 0, due } = row ?? {}
    const [last] =
      troubled === 0
        ? []
        : await database.query<{ error: string }>(
            `select posting_error as error from tasks
             where posting = 'queued' and chain_id = $1 and posting_error is not null
             order by posting_at desc limit 1`,
            [chainId],
          )
    const gasBurners = await gasBurnerQueries(database, clock).latest(chainId, reportedBurners)
    return { waiting, troubled, error: last?.error, dueSince: due ?? undefined, gasBurners }
  },

  /** Has postings wait, which is not an attempt. */
  async postpone(ids: readonly Bytes32[], at: Date): Promise<void> {
    if (ids.length === 0) return
    await database.query(
      `update tasks set posting_at = $2 where id = any($1) and posting = 'queued'`,
      [[...ids], at],
    )
  },

  /** Keeps the posting in the queue for another attempt. */
  async retry(id: Bytes32, { attempts, error, at }: Attempt & { readonly at: Date }) {
    await database.query(
      `update tasks set posting_attempts = $2, posting_error = $3, posting_at = $4
       where id = $1 and posting = 'queued'`,
      [id, attempts, storableError(error), at],
    )
  },

  /**
   * Marks a posting as failed and stores its notification, in one transaction. False, without any
   * change, when it is no longer in the queue: one failure has one notification.
   */
  fail: (
    id: Bytes32,
    { attempts, error, notification }: Attempt & { readonly notification: TaskFailureNotification },
  ): Promise<boolean> =>
    database.transaction(async (tx) => {
      const now = new Date(clock())
      const [row] = await tx.query<{ apiKeyId: string }>(
        `update tasks set posting = 'failed', posting_attempts = $2, posting_error = $3,
           posting_at = $4, explored_at = null
         where id = $1 and posting = 'queued' returning api_key_id as "apiKeyId"`,
        [id, attempts, storableError(error), now],
      )
      if (row === undefined) return false
      await insertNotification(tx, notification, row.apiKeyId, now)
      return true
    }),
})

const storableError = (error: string): string => storableText(error).slice(0, maxError)

export type PostingQueries = ReturnType<typeof postingQueries>

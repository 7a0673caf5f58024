import type { Clock } from '../protocol/clock.ts'
import type { TaskFailureNotification } from '../protocol/notification.ts'
import type { Database, Queries } from './database.ts'

/** A notification waiting to be delivered, or settled: delivered or given up (decision W7). */
export type NotificationRecord = {
  readonly id: string
  readonly apiKeyId: string
  readonly payload: TaskFailureNotification
  readonly attempts: number
  readonly nextAttemptAt: Date
  readonly settledAt: Date | null
}

const columns = `id, api_key_id as "apiKeyId", payload, attempts,
  next_attempt_at as "nextAttemptAt", settled_at as "settledAt"`

/** Part of the transaction that ends the task: call it with that transaction. */
export const insertNotification = async (
  tx: Queries,
  notification: TaskFailureNotification,
  apiKeyId: string,
  now: Date,
): Promise<void> => {
  await tx.query(
    `insert into notifications (id, task_id, api_key_id, payload, created_at, next_attempt_at)
     values ($1, $2, $3, $4, $5, $5)`,
    [
      notification.notification_id,
      notification.task_id.toLowerCase(),
      apiKeyId,
      JSON.stringify(notification),
      now,
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
})

export type NotificationQueries = ReturnType<typeof notificationQueries>

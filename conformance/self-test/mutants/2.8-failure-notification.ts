import type { Mutant } from './mutant.ts'
import { changedHeaders, changedNotification } from './webhookFaults.ts'
import type { Json } from './wrappedListeners.ts'

const local = (timestamp: string) => timestamp.replace('T', ' ').replace(/\.\d+Z$/, '')

const withContext = (change: (context: Json) => Json) =>
  changedNotification((told) =>
    told.failure_type === 'quorum_not_reached' ? { ...told, context: change(told.context) } : told,
  )

/** Faults in the notification of a failed task (section 2.8). */
export const failureNotificationMutants: readonly Mutant[] = [
  {
    id: 'webhook.id-of-version-1',
    fault: 'creates notification ids that are UUIDs of version 1',
    clauses: ['2.8-01'],
    parts: (markFired) => ({
      taskDeps: (deps) => ({
        ...deps,
        uuid: () => {
          markFired()
          return deps.uuid().replace(/^(.{14})4/, '$11')
        },
      }),
    }),
  },
  {
    id: 'webhook.task-id-without-prefix',
    fault: 'sends the task id without 0x',
    clauses: ['2.8-02'],
    parts: changedNotification((told) => ({ ...told, task_id: told.task_id.slice(2) })),
  },
  {
    id: 'webhook.id-of-another-task',
    fault: 'sends the id of the notification instead of that of the task',
    clauses: ['2.8-02'],
    parts: changedNotification((told) => ({
      ...told,
      task_id: `0x${told.notification_id.replaceAll('-', '').padStart(64, '0')}`,
    })),
  },
  {
    id: 'webhook.timestamp-in-seconds',
    fault: 'sends the time as unix seconds',
    clauses: ['2.8-03'],
    parts: changedNotification((told) => ({
      ...told,
      timestamp: Math.floor(Date.parse(told.timestamp) / 1000),
    })),
  },
  {
    id: 'webhook.timestamp-without-zone',
    fault: 'sends the time without T and zone',
    clauses: ['2.8-03'],
    parts: changedNotification((told) => ({ ...told, timestamp: local(told.timestamp) })),
  },
  {
    id: 'webhook.type-in-capitals',
    fault: 'sends failure types in upper case',
    clauses: ['2.8-04'],
    parts: changedNotification((told) => ({
      ...told,
      failure_type: told.failure_type.toUpperCase(),
    })),
  },
  {
    id: 'webhook.message-is-object',
    fault: 'sends the error as an object with code and message',
    clauses: ['2.8-05'],
    parts: changedNotification((told) => ({
      ...told,
      error_message: { code: -1, message: told.error_message },
    })),
  },
  {
    id: 'webhook.context-is-text',
    fault: 'sends the context as a JSON string',
    clauses: ['2.8-06'],
    parts: changedNotification((told) => ({ ...told, context: JSON.stringify(told.context) })),
  },
  {
    id: 'webhook.no-context',
    fault: 'omits an empty context',
    clauses: ['2.8-06'],
    parts: changedNotification(({ context, ...told }) =>
      Object.keys(context).length === 0 ? told : { ...told, context },
    ),
  },
  {
    id: 'webhook.stakes-are-numbers',
    fault: 'sends the stakes of a quorum failure as numbers',
    clauses: ['2.8-07'],
    parts: withContext((context) => ({
      ...context,
      signed_stake: Number(context.signed_stake),
      required_stake: Number(context.required_stake),
    })),
  },
  {
    id: 'webhook.stakes-are-hex',
    fault: 'sends the stakes of a quorum failure as hex quantities',
    clauses: ['2.8-07'],
    parts: withContext((context) => ({
      ...context,
      signed_stake: `0x${BigInt(context.signed_stake).toString(16)}`,
      required_stake: `0x${BigInt(context.required_stake).toString(16)}`,
    })),
  },
  {
    id: 'webhook.no-operator-count',
    fault: 'sends no operator_count for a quorum failure',
    clauses: ['2.8-07'],
    parts: withContext(({ operator_count: _, ...context }) => context),
  },
  {
    id: 'webhook.recoverable-is-text',
    fault: 'sends is_recoverable as a string',
    clauses: ['2.8-08'],
    parts: changedNotification((told) => ({
      ...told,
      is_recoverable: String(told.is_recoverable),
    })),
  },
  {
    id: 'webhook.no-retry-after',
    fault: 'omits retry_after_seconds',
    clauses: ['2.8-09'],
    parts: changedNotification(({ retry_after_seconds: _, ...told }) => told),
  },
  {
    id: 'webhook.retry-after-is-text',
    fault: 'sends retry_after_seconds as a string',
    clauses: ['2.8-09'],
    parts: changedNotification((told) => ({
      ...told,
      retry_after_seconds: `${told.retry_after_seconds ?? 0}s`,
    })),
  },
  {
    id: 'webhook.same-id',
    fault: 'gives every notification of a process the same id',
    clauses: ['2.8-10'],
    parts: (markFired) => {
      const notification_id = '0b5ff3a0-6b1c-4d7e-9d2f-5a3c8e1f7b42'
      const parts = changedNotification((told) => ({ ...told, notification_id }))(markFired)
      const headers = changedHeaders((given) => ({
        ...given,
        'X-Idempotency-Key': notification_id,
      }))
      const { webhooks } = parts
      return {
        ...parts,
        webhooks: (options) => {
          const changed = headers(markFired).webhooks?.(options) ?? options
          return webhooks?.(changed) ?? changed
        },
      }
    },
  },
]

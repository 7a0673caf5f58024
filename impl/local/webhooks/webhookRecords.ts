import type { DeliveryAttempt, RecordedUpdate } from 'polgate-protocol/control/webhooks.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { TaskMessage } from 'polgate-service/tasks/taskUpdates.ts'
import { type Redelivery, redeliver } from 'polgate-service/webhooks/redeliver.ts'
import { createSender, failureText, type Send } from 'polgate-service/webhooks/sender.ts'
import type { WebhooksOptions } from 'polgate-service/webhooks/webhooks.ts'
import { type BoundedLog, createBoundedLog } from './boundedLog.ts'

type Attempt = DeliveryAttempt & { readonly notificationId: string }

/** The latest attempts to deliver notifications, and the latest messages about tasks. */
export type WebhookRecords = {
  /** Parts of a service that records them; a service that replaces it records to the same lists. */
  readonly around: (parts: ServiceParts) => ServiceParts
  readonly updates: Pick<BoundedLog<Omit<RecordedUpdate, 'seq'>>, 'after' | 'latest'>
  attemptsOf(notificationId: string): readonly DeliveryAttempt[]
  /** Delivers a stored notification once more; undefined if it is unknown, or has no webhook. */
  redeliver(id: string): Promise<Redelivery | undefined>
}

const longestText = 300

export function createWebhookRecords(): WebhookRecords {
  const attempts = createBoundedLog<Attempt>()
  const updates = createBoundedLog<Omit<RecordedUpdate, 'seq'>>()
  let webhooks: WebhooksOptions | undefined

  function recording(send: Send, clock: () => number, redelivery: boolean): Send {
    return async (delivery) => {
      const begin = performance.now()
      const at = new Date(clock()).toISOString()
      const add = (status: number | null, error: string | null) =>
        attempts.add({
          ...{ notificationId: delivery.headers['X-Idempotency-Key'] ?? '', at, status, error },
          ...{ milliseconds: Math.round(performance.now() - begin), redelivery },
        })
      try {
        const answer = await send(delivery)
        add(answer.status, null)
        return answer
      } catch (error) {
        add(null, delivery.signal.aborted ? 'no answer in time' : failureText(error))
        throw error
      }
    }
  }

  return {
    around: (parts) => ({
      ...parts,
      webhooks(given) {
        const options = parts.webhooks?.(given) ?? given
        const send = options.send ?? createSender()
        webhooks = { ...options, send: recording(send, options.clock, true) }
        return { ...options, send: recording(send, options.clock, false) }
      },
      taskDeps(given) {
        const deps = parts.taskDeps?.(given) ?? given
        deps.updates.subscribeAll((message) => updates.add(recorded(message, deps.clock())))
        return deps
      },
    }),
    updates,
    attemptsOf: (id) =>
      attempts
        .after(0)
        .filter(({ notificationId }) => notificationId === id)
        .map(({ notificationId: _, seq: __, ...attempt }) => attempt),
    redeliver: async (id) => (webhooks === undefined ? undefined : redeliver(webhooks, id)),
  }
}

function recorded(message: TaskMessage, now: number): Omit<RecordedUpdate, 'seq'> {
  const at = new Date(now).toISOString()
  if (message.kind === 'notification') {
    const { task_id: taskId, failure_type, error_message } = message.notification
    const text = `${failure_type}: ${error_message}`.slice(0, longestText)
    const none = { status: null, progress: null, responses: 0, failures: 0 }
    return { at, taskId, event: 'notification', ...none, text }
  }
  const { event, task_id, data } = message.update
  const failed = data.operator_responses.filter(({ success }) => !success)
  return {
    ...{ at, taskId: task_id as Bytes32, event, status: data.status, progress: data.progress },
    ...{ responses: data.operator_responses.length, failures: failed.length },
    text: failed.at(-1)?.error?.slice(0, longestText) ?? null,
  }
}

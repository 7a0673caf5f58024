import {
  type NotifiedUntil,
  notificationInOutbox,
  type SentNotification,
} from 'polgate-local/webhooks/triggerFailure.ts'
import { controlRequest } from '../controlRequest.ts'
import { clientOf, type ServiceTarget } from '../stack/serviceTarget.ts'

/** On-chain failures follow after the answer; retries take a second, each attempt at most its timeout. */
const withinMs = 15_000

/**
 * The notification of a task that failed, once it is there, or once its delivery has ended; undefined if there is
 * none in time. A remote service reports it to subscribers of the task only.
 */
export async function deliveryOf(
  target: ServiceTarget,
  taskId: string,
  until: NotifiedUntil,
  interrupted: AbortSignal,
): Promise<SentNotification | undefined> {
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(withinMs)])
  const { stack } = target
  try {
    if (stack === undefined) return await toldToSubscribers(target, taskId, signal)
    const control = (path: string) => controlRequest(stack.controlUrl, path)
    return await notificationInOutbox(control, taskId, until, signal)
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}

async function toldToSubscribers(
  target: ServiceTarget,
  taskId: string,
  signal: AbortSignal,
): Promise<SentNotification | undefined> {
  const watched = { taskId: taskId as `0x${string}` }
  for await (const event of clientOf(target).watchTask(watched, { signal })) {
    if (event.type !== 'notification') continue
    const { notification_id: id, failure_type: type, error_message: message } = event
    return { ...{ id, type, message, attempts: 0 }, outcome: 'unknown', lastError: null }
  }
  return undefined
}

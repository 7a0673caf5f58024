import { setTimeout as sleep } from 'node:timers/promises'
import { controlRequest } from '../controlRequest.ts'
import { clientOf, type ServiceTarget } from '../stack/serviceTarget.ts'

/** A failure notification, and what became of its delivery to the webhook. */
export type SentNotification = {
  readonly id: string
  readonly type: string
  readonly message: string
  /** Completed ones. */
  readonly attempts: number
  /** `pending` while attempts remain; `unknown` where the service does not tell. */
  readonly outcome: 'delivered' | 'refused' | 'exhausted' | 'unwanted' | 'pending' | 'unknown'
  readonly lastError: string | null
}

/** On-chain failures follow after the answer; retries take a second, each attempt at most its timeout. */
const withinMs = 15_000

/**
 * The notification of a task that failed, once it is there, or once its delivery has ended; undefined if there is
 * none in time. A remote service reports it to subscribers of the task only.
 */
export async function deliveryOf(
  target: ServiceTarget,
  taskId: string,
  until: 'sent' | 'settled',
  interrupted: AbortSignal,
): Promise<SentNotification | undefined> {
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(withinMs)])
  try {
    return target.stack === undefined
      ? await toldToSubscribers(target, taskId, signal)
      : await inOutbox(target.stack.controlUrl, taskId, until, signal)
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}

async function inOutbox(
  controlUrl: string,
  taskId: string,
  until: 'sent' | 'settled',
  signal: AbortSignal,
): Promise<SentNotification | undefined> {
  for (;;) {
    const response = await controlRequest(controlUrl, `/tasks/${taskId}/notifications`)
    const [first] = (await response.json()) as (Omit<SentNotification, 'outcome'> & {
      readonly outcome: SentNotification['outcome'] | null
    })[]
    const notification = first && { ...first, outcome: first.outcome ?? ('pending' as const) }
    const isOver =
      notification !== undefined && (until === 'sent' || notification.outcome !== 'pending')
    if (isOver || signal.aborted) return notification
    await sleep(50)
  }
}

async function toldToSubscribers(
  target: ServiceTarget,
  taskId: string,
  signal: AbortSignal,
): Promise<SentNotification | undefined> {
  for await (const event of clientOf(target).watchTask({
    taskId: taskId as `0x${string}`,
    signal,
  })) {
    if (event.type !== 'notification') continue
    const { notification_id: id, failure_type: type, error_message: message } = event
    return { ...{ id, type, message, attempts: 0 }, outcome: 'unknown', lastError: null }
  }
  return undefined
}

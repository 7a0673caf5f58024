import { setTimeout as sleep } from 'node:timers/promises'
import { type ServiceClient, TaskError, type TaskIntent } from 'polgate-client/index.ts'
import type { FailureType } from 'polgate-protocol/notification.ts'
import { ProvocationError } from './provocationError.ts'
import {
  type FailingTask,
  type ProvokedStack,
  provocations,
  type StackCall,
} from './provocations.ts'

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

/** Until the notification is there, or until its delivery has ended. */
export type NotifiedUntil = 'sent' | 'settled'

export type TriggerStage = 'sending' | 'notifying' | 'delivering'

type Hex = `0x${string}`

export type TriggerOptions = {
  /** Needed for what is not caused by a task alone (`obstacle`). */
  readonly stack: ProvokedStack | undefined
  readonly policyClient: Hex
  /** A policy client whose oracle traps. */
  readonly trapping: Hex | undefined
  /** Sends the task. @returns its id */
  readonly send: (task: FailingTask) => Promise<string>
  /** Undefined if there is none in time. */
  readonly notificationOf: (
    taskId: string,
    until: NotifiedUntil,
  ) => Promise<SentNotification | undefined>
  readonly onStage?: ((stage: TriggerStage, taskId: string | undefined) => void) | undefined
}

/**
 * Makes a task fail in this way, and waits until its notification was delivered, or for as long as `notificationOf` does.
 * What it changes of the stack is undone before deliveries are awaited.
 */
export async function triggerFailure(
  type: FailureType,
  options: TriggerOptions,
): Promise<{
  readonly taskId?: string
  readonly notification?: SentNotification | undefined
}> {
  const { stack, policyClient, trapping, notificationOf, onStage } = options
  const { task, around } = provocations[type]
  const sent: { taskId?: string; notification?: SentNotification | undefined } = {}
  const run = async () => {
    onStage?.('sending', undefined)
    sent.taskId = await options.send(task(policyClient, trapping))
    onStage?.('notifying', sent.taskId)
    sent.notification = await notificationOf(sent.taskId, 'sent')
  }
  if (around === undefined) await run()
  else if (stack === undefined)
    throw new ProvocationError(`${type} needs a local stack`, { hint: 'Run `polgate start`.' })
  else await around(stack, run)
  // Deliveries need nothing of what failed.
  if (sent.notification?.outcome === 'pending' && sent.taskId !== undefined) {
    onStage?.('delivering', sent.taskId)
    sent.notification = await notificationOf(sent.taskId, 'settled')
  }
  return sent
}

/** Sends the task with the SDK; its failure is the purpose. @returns its id @throws ClientError */
export async function sendFailing(
  client: ServiceClient,
  intent: TaskIntent,
  { policyClient, timeout, threshold }: FailingTask,
): Promise<string> {
  const params = {
    policy_client: policyClient,
    intent,
    ...(threshold === undefined ? {} : { quorum_threshold_percentage: threshold }),
  }
  // Only this method takes a timeout.
  if (timeout === undefined) return (await client.sendTask(params)).task_id
  try {
    return (await client.createTask({ ...params, timeout })).task_id
  } catch (error) {
    if (error instanceof TaskError && error.taskId !== undefined) return error.taskId
    throw error
  }
}

/** The first notification of a task in the outbox of a stack, once it is there, or delivered; also when the signal aborts. */
export async function notificationInOutbox(
  control: StackCall,
  taskId: string,
  until: NotifiedUntil,
  signal: AbortSignal,
): Promise<SentNotification | undefined> {
  for (;;) {
    const response = await control(`/tasks/${taskId}/notifications`)
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

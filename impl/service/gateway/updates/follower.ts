import type { TaskFailureNotification } from 'polgate-protocol/notification.ts'
import type { TaskUpdate } from 'polgate-protocol/taskUpdate.ts'
import type { TaskMessage } from '../../tasks/taskUpdates.ts'
import { isFinal } from './storedUpdate.ts'

/** A message to followers of a task. `result` is JSON text, serialized once for all of them. */
export type Delivery = {
  readonly type: TaskMessage['kind']
  readonly result: string
  readonly final: boolean
}

export type Receiver = {
  deliver(delivery: Delivery): void
  /** Nothing will follow: the task has ended, and some time has passed. */
  ended(): void
}

/** A subscription to a task. */
export type Follower = {
  /** Undefined while the store is queried; messages are queued meanwhile. */
  receiver: Receiver | undefined
  readonly waiting: TaskMessage[]
  readonly told: Set<string>
  over: boolean
}

export const newFollower = (): Follower => ({
  receiver: undefined,
  waiting: [],
  told: new Set(),
  over: false,
})

/**
 * Sends each final update once, each notification once, and nothing older after an end.
 *
 * @param textOf JSON, serialized once for all followers
 */
export function deliverTo(
  follower: Follower,
  news: TaskMessage,
  textOf: (result: TaskUpdate | TaskFailureNotification) => string,
): void {
  const { receiver } = follower
  if (receiver === undefined) {
    follower.waiting.push(news)
    return
  }
  if (news.kind === 'update') {
    if (follower.over) return
    const final = isFinal(news.update)
    follower.over = final
    receiver.deliver({ type: 'update', result: textOf(news.update), final })
    return
  }
  const { notification } = news
  if (follower.told.has(notification.notification_id)) return
  follower.told.add(notification.notification_id)
  receiver.deliver({ type: 'notification', result: textOf(notification), final: false })
}

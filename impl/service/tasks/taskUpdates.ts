import type { TaskFailureNotification } from 'polgate-protocol/notification.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { TaskUpdate } from 'polgate-protocol/taskUpdate.ts'

/** The messages about one task, until it ends (sections 6.1 and 6.2). */
export type TaskMessage =
  | { readonly kind: 'update'; readonly update: TaskUpdate }
  | { readonly kind: 'notification'; readonly notification: TaskFailureNotification }

export type TaskMessageListener = (news: TaskMessage) => void

/**
 * Publishes messages of tasks in this process to subscribers. Nothing is retained for ended tasks.
 */
export type TaskUpdates = {
  publish(taskId: Bytes32, news: TaskMessage): void
  /** The last update of a task in flight in this process; it contains all earlier ones. */
  latest(taskId: Bytes32): TaskUpdate | undefined
  /** Removes a task that this process no longer executes, whether or not its end was published. */
  forget(taskId: Bytes32): void
  /**
   * Calls the listener with all later messages of the task, in order. Returns a function to
   * unsubscribe.
   */
  subscribe(taskId: Bytes32, listener: TaskMessageListener): () => void
  /** Calls the listener with the messages of all tasks. */
  subscribeAll(listener: TaskMessageListener): () => void
  /** Sizes, to detect leaks: tasks in flight, and tasks with subscribers. */
  readonly kept: { readonly latest: number; readonly topics: number }
}

/** Errors thrown by a listener go to `onError` and do not affect others. */
export function createTaskUpdates(onError: (error: unknown) => void): TaskUpdates {
  const listeners = new Map<string, Set<TaskMessageListener>>()
  const all = new Set<TaskMessageListener>()
  const last = new Map<string, TaskUpdate>()

  const add = (
    set: Set<TaskMessageListener>,
    listener: TaskMessageListener,
    after?: () => void,
  ) => {
    set.add(listener)
    return () => {
      set.delete(listener)
      after?.()
    }
  }

  return {
    publish(taskId, news) {
      const id = taskId.toLowerCase()
      if (news.kind === 'update') {
        const final = news.update.event === 'success' || news.update.event === 'failure'
        if (final) last.delete(id)
        else last.set(id, news.update)
      }
      for (const listener of [...(listeners.get(id) ?? []), ...all]) {
        try {
          listener(news)
        } catch (error) {
          onError(error)
        }
      }
    },
    latest: (taskId) => last.get(taskId.toLowerCase()),
    forget: (taskId) => void last.delete(taskId.toLowerCase()),
    subscribe(taskId, listener) {
      const id = taskId.toLowerCase()
      const set = listeners.get(id) ?? new Set()
      listeners.set(id, set)
      return add(set, listener, () => {
        if (set.size === 0 && listeners.get(id) === set) listeners.delete(id)
      })
    },
    subscribeAll: (listener) => add(all, listener),
    get kept() {
      return { latest: last.size, topics: listeners.size }
    },
  }
}

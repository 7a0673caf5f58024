import type { TaskFailureNotification } from 'polgate-protocol/notification.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { Store } from '../../store/openStore.ts'
import type { TaskRecord } from '../../store/tasks.ts'

/** What is known of a task whoever carries it, and after it has ended. */
export type TaskSource = {
  get(id: Bytes32): Promise<TaskRecord | undefined>
  /** Those of these tasks that have ended. */
  ended(ids: readonly Bytes32[]): Promise<readonly Bytes32[]>
  /** Oldest first. */
  notifications(id: Bytes32): Promise<readonly TaskFailureNotification[]>
}

export const storedTasks = ({
  tasks,
  notifications,
}: Pick<Store, 'tasks' | 'notifications'>): TaskSource => ({
  get: (id) => tasks.get(id),
  ended: (ids) => tasks.listEnded(ids),
  notifications: async (id) => (await notifications.forTask(id)).map(({ payload }) => payload),
})

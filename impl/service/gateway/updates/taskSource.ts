import type { TaskFailureNotification } from 'polgate-protocol/notification.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { Store } from '../../store/openStore.ts'
import type { TaskRecord } from '../../store/tasks.ts'

/** Stored data of tasks, whichever process executes them, also after their end. */
export type TaskSource = {
  get(id: Bytes32): Promise<TaskRecord | undefined>
  /** The ended ones of these tasks. */
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

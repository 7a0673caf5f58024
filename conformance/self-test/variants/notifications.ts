import type { Json } from '../mutants/wrappedListeners.ts'
import type { Variant } from './variant.ts'

/**
 * Changes the notification of a failed task where the end of the task is stored: before it is published, sent
 * to a webhook, or read again for a late subscriber.
 */
export const notification =
  (change: (told: Json) => Json): NonNullable<Variant['parts']> =>
  () => ({
    taskDeps: (deps) => {
      const { tasks } = deps.store
      // A task may be stored again after an error of the database.
      const done = new WeakSet<object>()
      const finish: typeof tasks.finish = (id, end) => {
        const told = end.notification
        if (told !== undefined && !done.has(told)) {
          done.add(told)
          Object.assign(told, change({ ...told }))
        }
        return tasks.finish(id, end)
      }
      return { ...deps, store: { ...deps.store, tasks: { ...tasks, finish } } }
    },
  })

import type { TaskUpdate } from 'polgate-protocol/taskUpdate.ts'

/**
 * The last update of each task, in bounded memory: the least recently updated are evicted first.
 */
export function createKnownUpdates(mostBytes: number) {
  const byId = new Map<string, { readonly update: TaskUpdate; readonly bytes: number }>()
  let held = 0

  const drop = (taskId: string) => {
    const id = taskId.toLowerCase()
    held -= byId.get(id)?.bytes ?? 0
    byId.delete(id)
  }

  return {
    get: (taskId: string): TaskUpdate | undefined => byId.get(taskId.toLowerCase())?.update,
    bytesOf: (taskId: string): number => byId.get(taskId.toLowerCase())?.bytes ?? 0,
    set(taskId: string, update: TaskUpdate, bytes: number) {
      drop(taskId)
      byId.set(taskId.toLowerCase(), { update, bytes })
      held += bytes
      for (const id of byId.keys()) {
        if (held <= mostBytes) return
        drop(id)
      }
    },
    drop,
    size: () => byId.size,
  }
}

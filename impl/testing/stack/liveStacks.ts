import type { TaskRecord } from './controlWire.ts'

/** A stack that this process uses, as far as assertions about its tasks need it. */
export type LiveStack = { record(taskId: string): Promise<TaskRecord | undefined> }

const live = new Set<LiveStack>()

/** Adds a stack until the returned function is called. */
export function addLiveStack(stack: LiveStack): () => void {
  live.add(stack)
  return () => void live.delete(stack)
}

/** Asks the stacks of this process for a task. Undefined if none of them has it. */
export async function recordOfTask(taskId: string): Promise<TaskRecord | undefined> {
  for (const stack of live) {
    const record = await stack.record(taskId).catch(() => undefined)
    if (record !== undefined) return record
  }
  return undefined
}

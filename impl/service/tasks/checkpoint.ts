import type { SettledData } from './gatherData.ts'
import { taskData } from './gatherData.ts'
import type { TaskContext } from './taskContext.ts'

/**
 * All that decides, beside the chain at the reference block and what was asked, which bytes operators
 * sign for a task.
 * Stored before any of them is asked to: who goes on with the task has them sign the same once more,
 * as they sign one response a task (decision C13).
 */
export type Checkpoint = {
  /** What `time.now_ns` shows, unix milliseconds. */
  readonly now: number
  /** JSON text of each source's settled output, in the order of the policy's data. */
  readonly outputs: readonly string[]
}

/** @throws Error for what no gateway of this release has stored */
export function parseCheckpoint(stored: unknown): Checkpoint {
  const { now, outputs } = (stored ?? {}) as Partial<Record<keyof Checkpoint, unknown>>
  if (
    !Number.isSafeInteger(now) ||
    !Array.isArray(outputs) ||
    !outputs.every((output) => typeof output === 'string')
  ) {
    throw new Error('the checkpoint of the task is of another release')
  }
  return { now: now as number, outputs }
}

/** What was settled, with all operators asked: who has not seen such data signs nothing. */
export const settledBefore = ({ outputs }: Checkpoint, context: TaskContext): SettledData => ({
  outputs,
  policyTaskData: taskData(context, outputs),
  seen: new Map(),
  operators: context.operators,
  errors: [...context.absent],
})

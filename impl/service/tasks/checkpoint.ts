import type { SettledData } from './gatherData.ts'
import { taskData } from './gatherData.ts'
import type { TaskContext } from './taskContext.ts'

/**
 * The inputs, besides the chain at the reference block and the request, that determine the bytes
 * that operators sign for a task. Stored before the first request for a signature: a gateway that
 * takes the task over must have the same bytes signed, as operators sign one response per task
 * (decision C13).
 */
export type Checkpoint = {
  /** The value of `time.now_ns`, as unix milliseconds. */
  readonly now: number
  /** JSON text of each source's settled output, in the order of the policy's data. */
  readonly outputs: readonly string[]
}

/** @throws Error for a checkpoint that this release cannot have stored */
export function parseCheckpoint(stored: unknown): Checkpoint {
  const { now, outputs } = (stored ?? {}) as Partial<Record<keyof Checkpoint, unknown>>
  if (
    !Number.isSafeInteger(now) ||
    !Array.isArray(outputs) ||
    !outputs.every((output) => typeof output === 'string')
  ) {
    throw new Error('the checkpoint of the task was stored by another release')
  }
  return { now: now as number, outputs }
}

/**
 * The settled data, sent to all operators: those that have not observed such data refuse to sign.
 */
export const settledBefore = ({ outputs }: Checkpoint, context: TaskContext): SettledData => ({
  outputs,
  policyTaskData: taskData(context, outputs),
  seen: new Map(),
  operators: context.operators,
  errors: [...context.absent],
})

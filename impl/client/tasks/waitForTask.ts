import { checkNumber } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import { AbortError } from '../errors/abortError.ts'
import { WaitTimeoutError } from '../errors/taskErrors.ts'
import { ResponseMalformedError } from '../errors/transportErrors.ts'
import type { Hex } from '../hex.ts'
import { isFinal } from '../socket/newerUpdates.ts'
import { type WatchTaskOptions, watchTask } from '../socket/watchTask.ts'
import { createDeadline } from '../transport/deadline.ts'
import { type TaskSuccess, taskOutcome } from './taskOutcome.ts'

export type WaitForTaskOptions = Omit<WatchTaskOptions, 'lingerMs'> & {
  /** How long to wait, milliseconds; default 120,000. */
  readonly timeoutMs?: number | undefined
}

/**
 * Waits for a task by its id, in progress or ended, from any process that has the key which created
 * it: its own connection, or the process, may have been lost since. Returns what `createTask` would
 * have returned.
 *
 * @throws the errors of `createTask` by cause, WaitTimeoutError, and those of `watchTask`
 */
export async function waitForTask(
  client: BaseClient,
  { taskId }: { readonly taskId: Hex },
  options: WaitForTaskOptions = {},
): Promise<TaskSuccess> {
  const { timeoutMs = 120_000, signal, ...watched } = options
  checkNumber('timeoutMs', timeoutMs, 1, 2 ** 31 - 1)
  const deadline = createDeadline(timeoutMs, signal)
  try {
    const bounds = { ...watched, signal: deadline.signal, lingerMs: 0 }
    const events = watchTask(client, { taskId }, bounds)
    for await (const event of events) {
      if (event.type !== 'update' || !isFinal(event)) continue
      const { result } = event.data
      if (result === null)
        throw new ResponseMalformedError('the final update has no result', {
          metaMessages: [`Task: ${taskId}`],
        })
      return taskOutcome(result)
    }
  } catch (error) {
    if (deadline.isOver() && error instanceof AbortError)
      throw new WaitTimeoutError(timeoutMs, { taskId })
    throw error
  } finally {
    deadline.release()
  }
  throw new WaitTimeoutError(timeoutMs, { taskId })
}

import { checkNumber } from '../client/connection.ts'
import { AbortError, throwIfAborted } from '../errors/abortError.ts'
import { NotFoundError } from '../errors/policyErrors.ts'
import { WaitTimeoutError } from '../errors/taskErrors.ts'
import type { ExplorerTaskDetail } from '../generated/explorerTypes.ts'
import type { Hex } from '../hex.ts'
import { createDeadline } from '../transport/deadline.ts'
import { sleep } from '../transport/sleep.ts'
import type { BaseExplorer } from './createBaseExplorer.ts'
import type { ExplorerCallOptions } from './createExplorerRequest.ts'
import { getTask } from './getTask.ts'

export type WaitForExplorerTaskOptions = ExplorerCallOptions & {
  /** How long to wait, milliseconds; default 120,000. */
  readonly timeoutMs?: number | undefined
  /** Between requests, milliseconds; default 1,000. */
  readonly pollingIntervalMs?: number | undefined
}

/**
 * Waits until the explorer shows the end of a task: its response on chain, or its error. For keys
 * that did not create the task, and for gateways without a WebSocket; `waitForTask` is faster and
 * returns the attestation. A task that is not known yet is waited for.
 *
 * @throws WaitTimeoutError, and the errors of `getTask` but NotFoundError
 */
export async function waitForExplorerTask(
  explorer: BaseExplorer,
  { taskId }: { readonly taskId: Hex },
  options: WaitForExplorerTaskOptions = {},
): Promise<ExplorerTaskDetail> {
  const { timeoutMs = 120_000, pollingIntervalMs = 1_000, signal, ...call } = options
  checkNumber('timeoutMs', timeoutMs, 1, 2 ** 31 - 1)
  const deadline = createDeadline(timeoutMs, signal)
  try {
    for (;;) {
      const task = await getTask(explorer, { taskId }, { ...call, signal: deadline.signal }).catch(
        (error: unknown) => {
          if (error instanceof NotFoundError) return undefined
          throw error
        },
      )
      if (task !== undefined && (task.task_responded_at !== null || task.error !== null))
        return task
      await sleep(pollingIntervalMs, deadline.signal)
      throwIfAborted(deadline.signal)
    }
  } catch (error) {
    if (deadline.isOver() && error instanceof AbortError)
      throw new WaitTimeoutError(timeoutMs, { taskId })
    throw error
  } finally {
    deadline.release()
  }
}

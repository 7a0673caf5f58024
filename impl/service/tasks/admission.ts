import { ChainReadError } from 'polgate-chain/errors.ts'
import { linkedSignal } from 'polgate-lib/async/linkedSignal.ts'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import type { ChainReads } from './chainReads.ts'
import type { PreparedTask } from './prepare.ts'
import { timed } from './stopwatch.ts'
import type { ClientAndOperators } from './taskChain.ts'
import { readClientAndOperators, requireServable } from './taskContext.ts'
import type { TaskDeps } from './taskDeps.ts'
import { taskTimeout } from './taskErrors.ts'

/** Longest delay of an admission by a node that does not answer. */
const maxReadMs = 10_000

/**
 * Reads the task's client and quorums at its reference block before the task exists, so that a
 * request that can never be evaluated is rejected in the same way by every method and creates no
 * task.
 *
 * @returns what was read, for reuse by the evaluation; undefined if the chain is unavailable, in
 * which case the task itself finds out whether it can be evaluated
 * @throws ServiceError -32602 for a quorum that does not exist; -32616 for an address that is not a
 * policy client, or belongs to another task manager; -32618, -32619
 */
export async function readForAdmission(
  deps: TaskDeps,
  parts: { readonly reads: ChainReads; readonly closing: AbortSignal },
  task: PreparedTask,
  block: number,
): Promise<ClientAndOperators | undefined> {
  const limit = linkedSignal(parts.closing)
  limit.abortAfter(Math.min(task.timeoutMs, maxReadMs), taskTimeout)
  try {
    const chain = parts.reads.within(limit.signal)
    const read = await timed(deps.stopwatch, 'chain reads', () =>
      readClientAndOperators({ ...deps, chain }, task, block),
    )
    requireServable(deps, task, read.client)
    return read
  } catch (error) {
    if (error instanceof ServiceError) throw error
    if (error instanceof ChainReadError && error.code !== 'unreachable') {
      throw notReadable(error)
    }
    return undefined
  } finally {
    limit.release()
  }
}

const notReadable = (error: ChainReadError) =>
  new ServiceError(error.message, {
    code: errorCode.contract,
    clause: 'section 7.3',
    hint: error.hint,
    cause: error,
  })

import { unlessAborted } from '../operators/inFlight.ts'
import { linkedSignal } from '../operators/linkedSignal.ts'
import { unixSeconds } from '../protocol/clock.ts'
import { errorCode } from '../protocol/jsonRpc.ts'
import { ServiceError } from '../protocol/serviceError.ts'
import type { TaskResult } from '../protocol/task.ts'
import type { AdmittedTask } from './admit.ts'
import type { ChainReads } from './chainReads.ts'
import { collectSignatures } from './collectSignatures.ts'
import { finishWithFailure, finishWithSuccess } from './finishTask.ts'
import { gatherData } from './gatherData.ts'
import type { PostOnChain } from './postOnChain.ts'
import type { Punctuality } from './punctuality.ts'
import { chainTask, successResult, taskView } from './respond.ts'
import { timed } from './stopwatch.ts'
import { readTaskContext } from './taskContext.ts'
import type { TaskDeps } from './taskDeps.ts'
import { asTaskFailure, taskTimeout, withOperatorErrors } from './taskErrors.ts'
import { createWitness } from './witness.ts'

export type CarryParts = {
  readonly reads: ChainReads
  readonly post: PostOnChain
  readonly punctuality: Punctuality
  /** Aborts with the failure of the tasks that are then under way. */
  readonly closing: AbortSignal
}

/**
 * Carries an admitted task to its end and tells of it on the way. What goes wrong is the task's
 * failure; where a parameter or a version is to blame, which have codes of their own, the error is
 * thrown as well once the failure is stored. Never takes longer than the task's timeout.
 *
 * @throws ServiceError -32602 (a quorum that does not exist), -32618, -32619
 */
export async function carry(
  deps: TaskDeps,
  parts: CarryParts,
  admitted: AdmittedTask,
): Promise<TaskResult> {
  const { task, record, place, news } = admitted
  const limit = linkedSignal(parts.closing)
  const { signal } = limit
  const timer = setTimeout(() => limit.abort(taskTimeout()), task.timeoutMs)
  const witness = createWitness(deps)
  let block = 0

  async function work(): Promise<TaskResult> {
    await place.turn(signal)
    const chain = parts.reads.within(signal)
    const [, context] = await Promise.all([
      deps.store.tasks.markProcessing(record.id).then(() => news.processing()),
      timed(deps.stopwatch, 'chain reads', () => readTaskContext({ ...deps, chain }, task)),
    ])
    block = context.client.blockNumber
    const phase = { task, context, news, punctuality: parts.punctuality, witness, signal }
    const data = await gatherData(deps, phase)
    const signed = await collectSignatures(deps, {
      ...phase,
      data,
      taskId: record.id,
      nonce: record.nonce,
    })
    signal.throwIfAborted()
    const onChain = chainTask(task, { taskId: record.id, nonce: record.nonce, block })
    const result = successResult({
      task: onChain,
      signed,
      includeCalldata: task.includeCalldata,
      timestamp: unixSeconds(deps.clock),
    })
    const stored = await timed(deps.stopwatch, 'store', () => finishWithSuccess(deps, result))
    if (stored === result) parts.post.later({ task: onChain, signed, apiKeyId: record.apiKeyId })
    return stored
  }

  try {
    signal.throwIfAborted()
    return await unlessAborted(signal, work())
  } catch (error) {
    const failure = withOperatorErrors(asTaskFailure(error), witness.errors)
    if (!(error instanceof ServiceError) && failure.failureType === 'internal_error') {
      deps.log.warn({ task: record.id, err: failure.cause ?? failure }, failure.message)
    }
    const view = taskView(chainTask(task, { taskId: record.id, nonce: record.nonce, block }))
    const result = await finishWithFailure(deps, record.id, failure, view)
    if (error instanceof ServiceError && thrownCodes.includes(error.code)) throw error
    return result
  } finally {
    clearTimeout(timer)
    limit.release()
    place.leave()
    deps.updates.forget(record.id)
  }
}

const thrownCodes: readonly number[] = [
  errorCode.invalidParams,
  errorCode.incompatiblePolicyVersion,
  errorCode.incompatiblePolicyDataVersion,
]

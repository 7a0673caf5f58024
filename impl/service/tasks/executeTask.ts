import type { Task } from 'polgate-chain/types.ts'
import { linkedSignal } from 'polgate-lib/async/linkedSignal.ts'
import { unlessAborted } from 'polgate-lib/async/unlessAborted.ts'
import { unixSeconds } from 'polgate-protocol/clock.ts'
import type { Data } from 'polgate-protocol/scalars.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import type { TaskResult } from 'polgate-protocol/task.ts'
import { validateCalldata } from '../attestation/calldata.ts'
import type { TaskPolicy } from '../store/tasks.ts'
import type { AdmittedTask } from './admit.ts'
import { awaitEndElsewhere, continuesElsewhere } from './awaitEndElsewhere.ts'
import type { ChainReads } from './chainReads.ts'
import { type Checkpoint, parseCheckpoint, settledBefore } from './checkpoint.ts'
import { collectSignatures } from './collectSignatures.ts'
import { finishWithFailure, finishWithSuccess } from './finishTask.ts'
import { gatherData } from './gatherData.ts'
import { openPrivateData } from './openPrivateData.ts'
import type { OperatorLatency } from './operatorLatency.ts'
import { createPartialErrors } from './partialErrors.ts'
import { persistResponses } from './persistResponses.ts'
import type { PostOnChain } from './postOnChain.ts'
import { chainTask, successResult, taskView } from './respond.ts'
import { retryDuringOutage } from './retryDuringOutage.ts'
import { spendWarnings } from './spendWarnings.ts'
import { timed } from './stopwatch.ts'
import { readTaskContext, type TaskContext } from './taskContext.ts'
import type { TaskDeps } from './taskDeps.ts'
import {
  asTaskFailure,
  TaskFailure,
  TaskLost,
  taskTimeout,
  withOperatorErrors,
} from './taskErrors.ts'
import type { WorkerLease } from './workerLease.ts'

export type ExecuteTaskParts = {
  readonly workerLease: WorkerLease
  readonly reads: ChainReads
  readonly post: PostOnChain
  readonly operatorLatency: OperatorLatency
  /** Aborts on shutdown, with the failure for the tasks in flight. */
  readonly closing: AbortSignal
}

/**
 * Executes an admitted task to its end and publishes updates. Any error becomes the failure of the
 * task: errors that are returned as RPC errors were thrown by admission. Never takes longer than
 * the task's timeout.
 *
 * If another gateway takes the task over because this process was suspended, the result is the one
 * that the other gateway stores. On shutdown, tasks without a waiting caller are released to other
 * gateways.
 *
 * @throws ServiceError -32603 when the task continues on another gateway after this one has closed
 */
export function executeTask(
  deps: TaskDeps,
  parts: ExecuteTaskParts,
  admitted: AdmittedTask,
): Promise<TaskResult> {
  const work = () => execute(deps, parts, admitted)
  return deps.aroundTask === undefined ? work() : deps.aroundTask(admitted, work)
}

async function execute(
  deps: TaskDeps,
  parts: ExecuteTaskParts,
  admitted: AdmittedTask,
): Promise<TaskResult> {
  const { task, record, place, news, checkpoint, hasCaller } = admitted
  const limit = linkedSignal(parts.closing)
  const { signal } = limit
  // No longer than the timeout, even if the clock went back since the admission.
  const left = record.deadline.getTime() - deps.clock()
  limit.abortAfter(Math.min(Math.max(0, left), task.timeoutMs), taskTimeout)
  const { id: worker } = parts.workerLease
  const release = parts.workerLease.hold(record.id, (lost) => limit.abort(lost))
  const stopKeeping = persistResponses(deps, { id: record.id, worker })
  const witness = createPartialErrors(deps)
  let policy: TaskPolicy | undefined

  async function work(): Promise<TaskResult> {
    await place.turn(signal)
    const chain = parts.reads.within(signal)
    const block = blockOf(record)
    const before = checkpoint === null ? undefined : parseCheckpoint(checkpoint)
    const [, context] = await Promise.all([
      startProcessing(),
      timed(deps.stopwatch, 'chain reads', () =>
        readTaskContext({ ...deps, chain }, task, { block, read: admitted.read, onClient: know }),
      ),
    ])
    const phase = {
      ...{ task, context, news, operatorLatency: parts.operatorLatency, witness, signal },
      requester: record.apiKeyId,
    }
    const { data, now } =
      before === undefined ? await settle(phase) : await settleAgain(phase, before)
    const settled = { ...phase, data, taskId: record.id, nonce: record.nonce }
    const opened = await openPrivateData(deps, settled)
    const signed = await collectSignatures(deps, { ...settled, opened, now })
    signal.throwIfAborted()
    const onChain = chainTask(task, { taskId: record.id, nonce: record.nonce, block })
    const { response, aggregation } = signed
    const calldata = task.includeCalldata
      ? validateCalldata({ task: onChain, response, signatureData: aggregation.signatureData })
      : undefined
    const result = successResult({
      ...{ task: onChain, signed, calldata },
      warnings: calldata === undefined ? [] : await warningsOf(onChain, calldata),
      timestamp: unixSeconds(deps.clock),
    })
    const stored = await timed(deps.stopwatch, 'store', () =>
      retryDuringOutage(
        () => finishWithSuccess(deps, result, { worker, post: deps.postOnChain }),
        () => !signal.aborted,
      ),
    )
    if (stored === result) parts.post.wake()
    return stored
  }

  /** Remembers the policy, which every outcome of the task includes. */
  function know(client: TaskContext['client']): void {
    policy = { id: client.policyId, address: client.policyAddress }
  }

  async function warningsOf(onChain: Task, calldata: Data) {
    const left = record.deadline.getTime() - deps.clock()
    const attestation = { task: onChain, calldata }
    return await timed(deps.stopwatch, 'chain reads', () =>
      spendWarnings(parts.reads, attestation, { signal, left }),
    )
  }

  async function startProcessing(): Promise<void> {
    if (record.status === 'pending') {
      const { tasks } = deps.store
      if (!(await tasks.markProcessing(record.id, worker))) throw new TaskLost(record.id)
    }
    news.processing()
  }

  async function settle(phase: Phase) {
    const data = await gatherData(deps, phase)
    signal.throwIfAborted()
    const now = deps.clock()
    const settled: Checkpoint = { now, outputs: data.outputs }
    const isOurs = await timed(deps.stopwatch, 'store', () =>
      deps.store.ownership.settle(record.id, worker, settled, policy),
    )
    if (!isOurs) throw new TaskLost(record.id)
    return { data, now }
  }

  /**
   * Operators that lost their observations run the oracles again; the settled data stays decisive.
   */
  async function settleAgain(phase: Phase, before: Checkpoint) {
    await gatherData(deps, phase).catch(() => signal.throwIfAborted())
    return { data: settledBefore(before, phase.context), now: before.now }
  }

  async function fail(failure: TaskFailure): Promise<TaskResult> {
    const { id: taskId, nonce } = record
    const view = taskView(chainTask(task, { taskId, nonce, block: record.referenceBlock ?? 0 }))
    // After the deadline any gateway may end the task.
    const fence = failure.failureType === 'timeout' ? {} : { worker }
    return await retryDuringOutage(
      () => finishWithFailure(deps, record.id, failure, { task: view, policy, ...fence }),
      () => !parts.closing.aborted && deps.clock() < record.deadline.getTime(),
    )
  }
  const elsewhere = () => awaitEndElsewhere(deps, record, parts.closing)

  try {
    signal.throwIfAborted()
    return await unlessAborted(signal, work())
  } catch (error) {
    if (error instanceof TaskLost) return await elsewhere()
    if (parts.workerLease.shared && !hasCaller && parts.closing.aborted) {
      await deps.store.ownership.release([record.id], worker)
      throw continuesElsewhere(record.id)
    }
    const failure = withOperatorErrors(asTaskFailure(error), witness.errors)
    if (!(error instanceof ServiceError) && failure.failureType === 'internal_error') {
      deps.log.warn({ task: record.id, err: failure.cause ?? failure }, failure.message)
    }
    return await fail(failure).catch((cause: unknown) => {
      if (cause instanceof TaskLost) return elsewhere()
      throw cause
    })
  } finally {
    limit.release()
    release()
    stopKeeping()
    place.leave()
    deps.updates.forget(record.id)
  }
}

/** Task ids of earlier releases do not cover the block: operators and contracts reject them. */
function blockOf({ referenceBlock }: AdmittedTask['record']): number {
  if (referenceBlock !== null) return referenceBlock
  throw new TaskFailure('Task interrupted: the gateway was upgraded; send the task again', {
    failureType: 'internal_error',
    recoverable: true,
  })
}

type Phase = Parameters<typeof gatherData>[1]

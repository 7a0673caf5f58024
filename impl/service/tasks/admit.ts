import { linkedSignal } from 'polgate-lib/async/linkedSignal.ts'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import type { CreateTaskParams } from 'polgate-protocol/methods/createTask.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { invalidApiKey, ServiceError } from 'polgate-protocol/serviceError.ts'
import { taskId as taskIdOf } from '../intents/intent.ts'
import type { TaskRecord } from '../store/tasks.ts'
import { usedKeyOf } from '../store/usedKey.ts'
import { readForAdmission } from './admission.ts'
import type { Caller } from './caller.ts'
import type { ChainReads } from './chainReads.ts'
import { type PreparedTask, prepareTask } from './prepare.ts'
import { requireNeverSubmitted, storedRequest } from './privacyArgs.ts'
import { inStage, timed } from './stopwatch.ts'
import type { TaskAdmissionLimit, TaskSlot } from './taskAdmissionLimit.ts'
import type { ClientAndOperators } from './taskChain.ts'
import type { TaskDeps } from './taskDeps.ts'
import { taskTimeout } from './taskErrors.ts'
import { type TaskProgress, taskProgress } from './taskProgress.ts'

/** A task stored as pending, with its slot. The caller of `admit` must execute it. */
export type AdmittedTask = {
  readonly task: PreparedTask
  readonly record: TaskRecord
  readonly place: TaskSlot
  readonly news: TaskProgress
  /** As stored, if another process has settled the task; else null. */
  readonly checkpoint: unknown
  /** The task's client and operators, if admission has read them. */
  readonly read?: ClientAndOperators | undefined
  /** Whether a caller waits for the result. */
  readonly hasCaller: boolean
}

export type AdmitParts = {
  readonly load: TaskAdmissionLimit
  readonly reads: ChainReads
  /** Aborts when the gateway closes. */
  readonly closing: AbortSignal
}

/**
 * Validates a request, including against the chain, and stores it as a pending task; operators are
 * not involved yet. A request rejected here creates no task, and both methods reject it for the
 * same reason. The latest block becomes the reference block; the task id covers it (decision T3),
 * so it stays the same for every gateway that continues the task.
 *
 * @throws ServiceError -32001 if the key changed meanwhile; -32602, also for a quorum that does not exist; -32615 for a signature that
 * is not 65 bytes (section 7.3); -32616 for a client that cannot be read, and `TaskAlreadyExists`
 * (decision T4); -32618, -32619; -32005 when too many tasks are in flight; ChainReadError and
 * TaskFailure (timeout, or shutdown of the gateway) when the latest block is unknown
 */
export const admit = (...request: AdmitRequest): Promise<AdmittedTask> =>
  inStage(request[0].stopwatch, 'admission', () => admitNow(...request))

type AdmitRequest = [
  deps: TaskDeps,
  parts: AdmitParts,
  method: 'createTask' | 'sendTask',
  params: CreateTaskParams,
  caller: Caller,
]

async function admitNow(
  ...[deps, parts, method, params, caller]: AdmitRequest
): Promise<AdmittedTask> {
  const task = prepareTask(params)
  await requireNeverSubmitted(deps.fingerprints, task)
  const deadline = new Date(deps.clock() + task.timeoutMs)
  const hasCaller = method === 'createTask'
  const place = parts.load.enter(caller.keyId)
  try {
    const referenceBlock = await latestBlock(deps, parts, task.timeoutMs)
    const read = await readForAdmission(deps, parts, task, referenceBlock)
    const admission = await timed(deps.stopwatch, 'store', () =>
      deps.store.tasks.admit({
        policyClient: task.policyClient,
        intentHash: task.intentHash,
        idFor: (nonce) =>
          taskIdOf({
            chainId: BigInt(deps.chain.chainId),
            policyClient: task.policyClient,
            intentHash: task.intentHash,
            nonce,
            taskCreatedBlock: referenceBlock,
          }),
        referenceBlock,
        method,
        apiKeyId: caller.keyId,
        key: usedKeyOf(caller),
        owners: caller.owners,
        request: storedRequest(params, task),
        deadline,
        chainId: deps.chain.chainId,
        worker: deps.gatewayId,
        unacknowledged: hasCaller,
      }),
    )
    if (admission.outcome === 'key-changed') throw invalidApiKey()
    if (admission.outcome === 'duplicate') throw alreadyExists(admission.existing)
    const news = taskProgress(deps, admission.task.id)
    news.pending()
    return { task, record: admission.task, place, news, checkpoint: null, read, hasCaller }
  } catch (error) {
    place.leave()
    throw error
  }
}

/**
 * Minimum time for the read of the latest block, milliseconds, even if the task's timeout is
 * shorter: such a task must exist in order to end with status `timeout`.
 */
const minReadMs = 2_000

async function latestBlock(
  { stopwatch }: Pick<TaskDeps, 'stopwatch'>,
  { reads, closing }: AdmitParts,
  timeoutMs: number,
): Promise<number> {
  const limit = linkedSignal(closing)
  limit.abortAfter(Math.max(timeoutMs, minReadMs), taskTimeout)
  try {
    return await timed(stopwatch, 'chain reads', () => reads.within(limit.signal).latestBlock())
  } finally {
    limit.release()
  }
}

const alreadyExists = (existing: Bytes32) =>
  new ServiceError(`TaskAlreadyExists: ${existing} is in progress for this intent`, {
    code: errorCode.contract,
    clause: 'section 7.5, decision T4',
    hint: 'Wait for the existing task, or change the intent.',
    retryable: true,
  })

import { taskId as taskIdOf } from '../intents/intent.ts'
import { errorCode } from '../protocol/jsonRpc.ts'
import type { CreateTaskParams } from '../protocol/methods/createTask.ts'
import type { Bytes32 } from '../protocol/scalars.ts'
import { ServiceError } from '../protocol/serviceError.ts'
import type { TaskRecord } from '../store/tasks.ts'
import type { Caller } from './caller.ts'
import { type PreparedTask, prepareTask } from './prepare.ts'
import { timed } from './stopwatch.ts'
import type { TaskDeps } from './taskDeps.ts'
import type { TaskLoad, TaskPlace } from './taskLoad.ts'
import { type TaskNewsWriter, taskNews } from './taskNews.ts'

/** A task that is stored as pending, with its place among the others. Whoever has it carries it. */
export type AdmittedTask = {
  readonly task: PreparedTask
  readonly record: TaskRecord
  readonly place: TaskPlace
  readonly news: TaskNewsWriter
  /** As it was stored, of a task that another process has settled; null for one that none has. */
  readonly checkpoint: unknown
  /** Whether a caller waits for its end. */
  readonly waitedFor: boolean
}

/**
 * Checks what was asked and stores it as pending. Neither the chain nor an operator is waited for.
 *
 * @throws ServiceError -32602; -32615 for a signature that is not 65 bytes (section 7.3); -32616
 * `TaskAlreadyExists` (decision T4); -32005 when too many tasks are under way
 */
export async function admit(
  deps: TaskDeps,
  load: TaskLoad,
  method: 'createTask' | 'sendTask',
  params: CreateTaskParams,
  caller: Caller,
): Promise<AdmittedTask> {
  const task = prepareTask(params)
  const place = load.enter(caller.keyId)
  try {
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
          }),
        method,
        apiKeyId: caller.keyId,
        request: params,
        deadline: new Date(deps.clock() + task.timeoutMs),
        chainId: deps.chain.chainId,
        carrier: deps.gatewayId,
      }),
    )
    if (admission.outcome === 'duplicate') throw alreadyExists(admission.existing)
    const news = taskNews(deps, admission.task.id)
    news.pending()
    const waitedFor = method === 'createTask'
    return { task, record: admission.task, place, news, checkpoint: null, waitedFor }
  } catch (error) {
    place.leave()
    throw error
  }
}

const alreadyExists = (existing: Bytes32) =>
  new ServiceError(`TaskAlreadyExists: ${existing} is under way for this intent`, {
    code: errorCode.contract,
    clause: 'section 7.5, decision T4',
    hint: 'Wait for the existing task, or change the intent.',
    retryable: true,
  })

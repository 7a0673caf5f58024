import { taskId as taskIdOf } from '../intents/intent.ts'
import { unixSeconds } from '../protocol/clock.ts'
import { errorCode } from '../protocol/jsonRpc.ts'
import type { CreateTaskParams } from '../protocol/methods/createTask.ts'
import { ServiceError } from '../protocol/serviceError.ts'
import type { TaskResult } from '../protocol/task.ts'
import type { TaskRecord } from '../store/tasks.ts'
import type { Caller } from './caller.ts'
import { collectSignatures } from './collectSignatures.ts'
import { finishWithFailure, finishWithSuccess } from './finishTask.ts'
import { gatherData } from './gatherData.ts'
import type { PostOnChain } from './postOnChain.ts'
import { type PreparedTask, prepareTask } from './prepare.ts'
import { chainTask, successResult, taskView } from './respond.ts'
import { timed } from './stopwatch.ts'
import { readTaskContext } from './taskContext.ts'
import type { TaskDeps } from './taskDeps.ts'
import { asTaskFailure, taskTimeout } from './taskErrors.ts'

/**
 * `svc_createTask` (section 4.2): stores the task before anything else happens, carries it to its
 * end and answers. What goes wrong after admission is the task's failure, told in the result;
 * version mismatches have codes of their own and are thrown besides.
 *
 * @throws ServiceError -32602, -32618, -32619
 */
export async function createTask(
  deps: TaskDeps,
  post: PostOnChain,
  params: CreateTaskParams,
  caller: Caller,
  closing: AbortSignal,
): Promise<TaskResult> {
  const task = readParams(params)
  if (task instanceof ServiceError) return refused(deps, task.message)
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
      method: 'createTask',
      apiKeyId: caller.keyId,
      request: params,
      deadline: new Date(deps.clock() + task.timeoutMs),
    }),
  )
  if (admission.outcome === 'duplicate') {
    return refused(deps, `TaskAlreadyExists: ${admission.existing} is under way for this intent`)
  }
  return await carry(deps, post, task, admission.task, closing)
}

/** A signature that cannot be encoded fails before evaluation, as an answer (section 7.3). */
function readParams(params: CreateTaskParams): PreparedTask | ServiceError {
  try {
    return prepareTask(params)
  } catch (error) {
    if (error instanceof ServiceError && error.code === errorCode.policyEvaluation) return error
    throw error
  }
}

/** The answer to what never became a task. */
const refused = (deps: TaskDeps, error: string): TaskResult => ({
  status: 'failed',
  aggregation_response: null,
  error,
  timestamp: unixSeconds(deps.clock),
})

async function carry(
  deps: TaskDeps,
  post: PostOnChain,
  task: PreparedTask,
  record: TaskRecord,
  closing: AbortSignal,
): Promise<TaskResult> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(taskTimeout()), task.timeoutMs)
  const signal = AbortSignal.any([deadline.signal, closing])
  let block = 0
  try {
    return await untilAborted(signal, async () => {
      const [, context] = await Promise.all([
        deps.store.tasks.markProcessing(record.id),
        timed(deps.stopwatch, 'chain reads', () => readTaskContext(deps, task)),
      ])
      block = context.client.blockNumber
      const data = await gatherData(deps, task, context, signal)
      const signed = await collectSignatures(deps, task, context, data, record.id, signal)
      signal.throwIfAborted()
      const onChain = chainTask(task, { taskId: record.id, nonce: record.nonce, block })
      const result = successResult({
        task: onChain,
        signed,
        includeCalldata: task.includeCalldata,
        timestamp: unixSeconds(deps.clock),
      })
      const stored = await timed(deps.stopwatch, 'store', () => finishWithSuccess(deps, result))
      if (stored === result) post.later({ task: onChain, signed, apiKeyId: record.apiKeyId })
      return stored
    })
  } catch (error) {
    const failure = asTaskFailure(error)
    if (!(error instanceof ServiceError) && failure.failureType === 'internal_error') {
      deps.log.warn({ task: record.id, err: failure.cause ?? failure }, failure.message)
    }
    const view = taskView(chainTask(task, { taskId: record.id, nonce: record.nonce, block }))
    const result = await finishWithFailure(deps, record.id, failure, view)
    if (error instanceof ServiceError && versionCodes.includes(error.code)) throw error
    return result
  } finally {
    clearTimeout(timer)
  }
}

const versionCodes: readonly number[] = [
  errorCode.incompatiblePolicyVersion,
  errorCode.incompatiblePolicyDataVersion,
]

/** Ends with the signal's reason even while the work is stuck in something that cannot be aborted. */
async function untilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  let stop: () => void = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work(), aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

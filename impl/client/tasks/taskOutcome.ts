import {
  OracleFailedError,
  QuorumNotReachedError,
  TaskError,
  TaskFailedError,
  TaskTimeoutError,
} from '../errors/taskErrors.ts'
import { ResponseMalformedError } from '../errors/transportErrors.ts'
import type { TaskResult } from '../generated/rpcTypes.ts'
import { errorOfMessage } from '../rpc/errorOfMessage.ts'

type Present =
  | 'task_id'
  | 'task'
  | 'task_response'
  | 'reference_block'
  | 'expiration'
  | 'aggregation_response'

/** The result of a task that operators have signed (section 2.5). A denial is one, too. */
export type TaskSuccess = TaskResult & { readonly status: 'success' } & {
  readonly [Name in Present]-?: NonNullable<TaskResult[Name]>
}

const needed: readonly Present[] = [
  'task_id',
  'task',
  'task_response',
  'reference_block',
  'expiration',
]

/**
 * The result of a task that has ended, if it is a success.
 *
 * @param metaMessages lines for the error
 * @throws TaskTimeoutError, TaskExistsError, QuorumNotReachedError, OracleFailedError,
 * RegoFailedError, MissingSecretsError, ContractError, PolicyNotFoundError and others by cause,
 * else TaskFailedError; ResponseMalformedError for a success without its members
 */
export function taskOutcome(result: TaskResult, metaMessages: readonly string[] = []): TaskSuccess {
  if (result?.status === 'success') {
    const missing = needed.find((name) => result[name] === undefined || result[name] === null)
    if (missing === undefined) return result as TaskSuccess
    throw new ResponseMalformedError(`the result has no ${missing}`, { metaMessages })
  }
  if (result?.status !== 'failed' && result?.status !== 'timeout')
    throw new ResponseMalformedError('the result is not that of an ended task', { metaMessages })
  const details = result.error ?? undefined
  const context = { details, metaMessages, result, taskId: result.task_id }
  if (result.status === 'timeout') throw new TaskTimeoutError(context)
  const error = errorOfMessage(context)
  if (error instanceof TaskError) throw error
  const task = result.task_id === undefined ? [] : [`Task: ${result.task_id}`]
  const other = errorOfMessage({ ...context, metaMessages: [...task, ...metaMessages] })
  if (other !== undefined) throw other
  const codes = new Set((result.operator_errors ?? []).map(({ error_code }) => error_code))
  if (codes.size === 1 && codes.has(-32620)) throw new OracleFailedError(context)
  throw codes.size > 0 ? new QuorumNotReachedError(context) : new TaskFailedError(context)
}

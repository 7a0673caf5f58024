import type { OperatorError, TaskResult } from '../generated/rpcTypes.ts'
import type { Hex } from '../hex.ts'
import { ClientError, type ErrorCode, type ErrorContext } from './clientError.ts'

export type TaskErrorContext = ErrorContext & {
  /** Undefined if no task was created. */
  readonly taskId?: Hex | undefined
  /** The complete result, if there is one. */
  readonly result?: TaskResult | undefined
}

type Description = {
  readonly name: string
  readonly code: ErrorCode
  readonly hint?: string
  readonly docs: string
}

const taskLine = (taskId: Hex | undefined) => (taskId === undefined ? [] : [`Task: ${taskId}`])

/** A task, or its admission, did not succeed. Subclasses name the cause. */
export class TaskError extends ClientError {
  readonly taskId: Hex | undefined
  readonly result: TaskResult | undefined
  /** Why operators did not sign (section 2.5). */
  readonly operatorErrors: readonly OperatorError[]

  constructor(message: string, context: TaskErrorContext, description: Description) {
    const { taskId = context.result?.task_id, result, metaMessages = [], ...rest } = context
    super(message, {
      ...rest,
      ...description,
      metaMessages: [...taskLine(taskId), ...metaMessages],
    })
    this.taskId = taskId
    this.result = result
    this.operatorErrors = result?.operator_errors ?? []
  }
}

/** The task's timeout passed before operators had signed (sections 3, 7.5). */
export class TaskTimeoutError extends TaskError {
  constructor(context: TaskErrorContext = {}) {
    super('The task timed out.', context, {
      name: 'TaskTimeoutError',
      code: 'TASK_TIMEOUT',
      hint: 'It has ended: send it again, with a longer timeout if its oracles are slow.',
      docs: 'service.md#7.5',
    })
  }
}

/** The task failed for a reason without a class of its own. */
export class TaskFailedError extends TaskError {
  constructor(context: TaskErrorContext = {}) {
    super('The task failed.', context, {
      name: 'TaskFailedError',
      code: 'TASK_FAILED',
      docs: 'service.md#3',
    })
  }
}

/** A task with the same client and intent is in progress (decision T4). `taskId` is that task. */
export class TaskExistsError extends TaskError {
  constructor(context: TaskErrorContext = {}) {
    super('A task for this intent is in progress.', context, {
      name: 'TaskExistsError',
      code: 'TASK_EXISTS',
      hint: 'Wait for it with waitForTask, or change the intent.',
      docs: 'decisions.md#T4',
    })
  }
}

/** Unknown, or created with another key: the gateway does not distinguish these (decision W2). */
export class TaskNotFoundError extends TaskError {
  constructor(context: TaskErrorContext = {}) {
    super('There is no such task for this key.', context, {
      name: 'TaskNotFoundError',
      code: 'TASK_NOT_FOUND',
      hint: 'Use the key that created the task, or the explorer.',
      docs: 'decisions.md#W2',
    })
  }
}

/** The answer to createTask or sendTask was lost: the task may exist. It was not sent again. */
export class TaskStateUnknownError extends TaskError {
  constructor(context: TaskErrorContext & { readonly cause: unknown }) {
    super('The answer was lost: the task may exist.', context, {
      name: 'TaskStateUnknownError',
      code: 'TASK_STATE_UNKNOWN',
      hint: 'It was not sent again, because two tasks are two attestations. Look it up with findTasks of an explorer client. Sending the same intent while it is in progress throws TaskExistsError with its id, which waitForTask takes.',
      docs: 'decisions.md#T4',
    })
  }
}

/** `waitForTask` gave up; the task may go on. */
export class WaitTimeoutError extends TaskError {
  constructor(timeoutMs: number, context: TaskErrorContext = {}) {
    super(`The task has not ended within ${timeoutMs} ms of waiting.`, context, {
      name: 'WaitTimeoutError',
      code: 'WAIT_TIMEOUT',
      hint: 'It may go on: wait again with the same id.',
      docs: 'service.md#3',
    })
  }
}

/** Too little stake signed the same response (decision T7). */
export class QuorumNotReachedError extends TaskError {
  constructor(context: TaskErrorContext = {}) {
    super('The quorum of operators was not reached.', context, {
      name: 'QuorumNotReachedError',
      code: 'QUORUM_NOT_REACHED',
      hint: 'operatorErrors says why operators did not sign.',
      docs: 'decisions.md#T7',
    })
  }
}

/** An oracle trapped, exceeded a limit, or its data could not be fetched (decision R7). */
export class OracleFailedError extends TaskError {
  constructor(context: TaskErrorContext = {}) {
    super('An oracle failed.', context, {
      name: 'OracleFailedError',
      code: 'ORACLE_FAILED',
      hint: 'Run it with simulatePolicyData to see its output.',
      docs: 'decisions.md#R7',
    })
  }
}

/** The policy has a syntax error, or failed at run time. */
export class RegoFailedError extends TaskError {
  constructor(context: TaskErrorContext = {}) {
    super('The policy could not be evaluated.', context, {
      name: 'RegoFailedError',
      code: 'REGO_FAILED',
      hint: 'Evaluate it with simulatePolicy.',
      docs: 'service.md#7.3',
    })
  }
}

/** The policy was evaluated and does not allow the intent. */
export class PolicyDeniedError extends TaskError {
  constructor(context: TaskErrorContext = {}) {
    super('The policy does not allow the intent.', context, {
      name: 'PolicyDeniedError',
      code: 'POLICY_DENIED',
      hint: 'Spending the attestation of a denial only uses it up; simulateTask tells the reason.',
      docs: 'decisions.md#T11',
    })
  }
}

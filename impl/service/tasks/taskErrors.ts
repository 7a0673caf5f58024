import { ChainReadError } from 'polgate-chain/errors.ts'
import { AppError } from 'polgate-lib/errors/appError.ts'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import type { FailureType } from 'polgate-protocol/notification.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import type { OperatorError } from 'polgate-protocol/task.ts'
import { StoreError } from '../store/storeError.ts'

/** How a task ended without a result: what is stored, answered and notified (sections 2.5, 2.8). */
export class TaskFailure extends AppError {
  readonly failureType: FailureType
  readonly operatorErrors: readonly OperatorError[]
  /** Public; `error_code` where one of section 7.2 says what it was. */
  readonly context: Record<string, unknown>
  readonly recoverable: boolean

  constructor(
    message: string,
    options: {
      failureType: FailureType
      operatorErrors?: readonly OperatorError[]
      context?: Record<string, unknown>
      recoverable?: boolean
      cause?: unknown
    },
  ) {
    super(message, { cause: options.cause })
    this.failureType = options.failureType
    this.operatorErrors = options.operatorErrors ?? []
    this.context = options.context ?? {}
    this.recoverable = options.recoverable ?? false
  }
}

/** Another gateway carries the task now: what this one would make of it counts no more. */
export class TaskLost extends AppError {
  constructor(id: string) {
    super(`task ${id} is carried by another gateway`)
  }
}

/** Section 8: aggregation did not end within the `timeout` of the task. */
export const taskTimeout = () =>
  new TaskFailure('Task timeout', { failureType: 'timeout', recoverable: true })

/** A failure that tells nothing of operators, with what is known of them. */
export function withOperatorErrors(
  failure: TaskFailure,
  operatorErrors: readonly OperatorError[],
): TaskFailure {
  if (operatorErrors.length === 0 || failure.operatorErrors.length > 0) return failure
  const { message, failureType, context, recoverable, cause } = failure
  return new TaskFailure(message, { failureType, operatorErrors, context, recoverable, cause })
}

/**
 * Any error on a task's way as its failure; what was not foreseen is not told. A chain that does not
 * answer, or refuses, is `internal_error` with -32616 in `context.error_code`: `channel_error` is the
 * way to the operators.
 */
export function asTaskFailure(error: unknown): TaskFailure {
  if (error instanceof TaskFailure) return error
  if (error instanceof ChainReadError) {
    return new TaskFailure(error.message, {
      failureType: 'internal_error',
      context: { error_code: errorCode.contract },
      recoverable: error.code === 'unreachable',
      cause: error,
    })
  }
  if (error instanceof ServiceError) {
    const policy = error.code === errorCode.policyEvaluation
    return new TaskFailure(error.message, {
      failureType: policy ? 'policy_evaluation_failed' : 'internal_error',
      context: { error_code: error.code },
      recoverable: error.retryable,
      cause: error,
    })
  }
  const outage = error instanceof StoreError && error.code === 'unavailable'
  return new TaskFailure(outage ? 'Service unavailable: send the task again' : 'Internal error', {
    failureType: 'internal_error',
    recoverable: true,
    cause: error,
  })
}

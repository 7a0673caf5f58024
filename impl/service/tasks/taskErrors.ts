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
  /** Public; has an `error_code` if section 7.2 defines one for the failure. */
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
    super(`task ${id} was taken over by another gateway`)
  }
}

/** Section 8: aggregation did not end within the `timeout` of the task. */
export const taskTimeout = () =>
  new TaskFailure('Task timeout', { failureType: 'timeout', recoverable: true })

/** Adds operator errors to a failure that has none. */
export function withOperatorErrors(
  failure: TaskFailure,
  operatorErrors: readonly OperatorError[],
): TaskFailure {
  if (operatorErrors.length === 0 || failure.operatorErrors.length > 0) return failure
  const { message, failureType, context, recoverable, cause } = failure
  return new TaskFailure(message, { failureType, operatorErrors, context, recoverable, cause })
}

/**
 * Converts any error of a task to its failure; unexpected errors are not exposed. A chain that is
 * unavailable or rejects a call is `internal_error` with -32616 in `context.error_code`, because
 * `channel_error` is about the connection to operators.
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

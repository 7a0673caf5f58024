import { errorCode } from '../protocol/jsonRpc.ts'
import type { FailureType } from '../protocol/notification.ts'
import type { Bytes32 } from '../protocol/scalars.ts'
import type { OperatorError } from '../protocol/task.ts'
import type { Stakes } from './stakeRule.ts'
import { TaskFailure } from './taskErrors.ts'

/**
 * The failure of a task whose operators did not reach the quorum (sections 2.5, 2.8). Where one
 * cause explains it, such as a policy that no operator can evaluate, `error` is that cause.
 */
export function quorumFailure(options: {
  readonly errors: readonly OperatorError[]
  readonly stakes: Stakes
  readonly signers: readonly Bytes32[]
}): TaskFailure {
  const { errors, stakes, signers } = options
  const { signed, required } = stakes.standing(signers)
  const cause = commonCause(errors)
  const message =
    cause?.message ?? `Quorum not reached: stake ${signed} of the required ${required} signed`
  return new TaskFailure(message, {
    failureType: failureTypeOf(cause, errors),
    operatorErrors: errors,
    context: {
      signed_stake: signed.toString(),
      required_stake: required.toString(),
      operator_count: signers.length,
    },
    recoverable: errors.some(({ retryable }) => retryable),
  })
}

/** The first of the errors when all of them tell of the same stage. */
function commonCause(errors: readonly OperatorError[]): OperatorError | undefined {
  const stages = new Set(
    errors.map(({ message }) => /^(WASM|Rego) \w+ failed: /.exec(message)?.[1]),
  )
  return stages.size === 1 && !stages.has(undefined) ? errors[0] : undefined
}

function failureTypeOf(
  cause: OperatorError | undefined,
  errors: readonly OperatorError[],
): FailureType {
  if (cause?.error_code === errorCode.policyEvaluation) return 'policy_evaluation_failed'
  if (errors.some(({ message }) => message.startsWith('operator signature refused'))) {
    return 'signature_verification_failed'
  }
  return 'quorum_not_reached'
}

import { errorCode } from '../protocol/jsonRpc.ts'
import type { FailureType } from '../protocol/notification.ts'
import type { Bytes32 } from '../protocol/scalars.ts'
import type { OperatorError } from '../protocol/task.ts'
import type { Stakes } from './stakeRule.ts'
import { TaskFailure } from './taskErrors.ts'

/**
 * The failure of a task whose operators did not reach the quorum (sections 2.5, 2.8). Where one
 * cause explains it, such as a policy that no operator can evaluate, `error` is that cause.
 *
 * @param plain codes whose message stands alone when every operator that failed has that code
 */
export function quorumFailure(options: {
  readonly errors: readonly OperatorError[]
  readonly stakes: Stakes
  readonly signers: readonly Bytes32[]
  readonly plain: readonly number[]
}): TaskFailure {
  const { errors, stakes, signers, plain } = options
  const { signed, required } = stakes.standing(signers)
  const first = errors[0]
  const alike =
    first !== undefined && errors.every(({ error_code }) => error_code === first.error_code)
  const cause = alike && plain.includes(first.error_code) && !first.retryable ? first : undefined
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

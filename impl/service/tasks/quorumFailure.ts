import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import type { FailureType } from 'polgate-protocol/notification.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { OperatorError } from 'polgate-protocol/task.ts'
import type { Operator } from '../operators/operator.ts'
import { type FaultKind, kindOfFault } from './operatorFaults.ts'
import type { Stakes } from './stakeRule.ts'
import { TaskFailure } from './taskErrors.ts'

/**
 * The failure of a task whose operators did not reach the quorum (sections 2.5, 2.8, 6.3). Its
 * cause is the kind of error without which they would have reached it. For example, if the
 * operators that could not evaluate the policy were decisive, that is the failure, even if another
 * operator was unreachable.
 *
 * - `policy_evaluation_failed`: Rego or an oracle failed; `error` is the message of the first
 * - `signature_verification_failed`: invalid signatures over the agreed response; `error` names their faults
 * - `channel_error`: no operator was reachable; `error` says why
 * - `quorum_not_reached`: everything else
 */
export function quorumFailure(options: {
  readonly errors: readonly OperatorError[]
  readonly stakes: Stakes
  readonly signers: readonly Bytes32[]
}): TaskFailure {
  const { errors, stakes, signers } = options
  const { signed, required } = stakes.standing(signers)
  const cause = causeOf(errors, stakes, signers)
  const unreachable = signers.length === 0 && errors.length > 0 && errors.every(isUnreachable)
  const failureType = unreachable ? 'channel_error' : failureTypeOf(cause?.kind)
  const standing = `Quorum not reached: stake ${signed} of the required ${required} signed`
  const context = contextOf(signed, required, signers.length)
  return new TaskFailure(
    failureType === 'policy_evaluation_failed'
      ? cause!.errors[0]!.message
      : failureType === 'quorum_not_reached'
        ? standing
        : `${standing}: ${messagesOf(cause?.errors ?? errors)}`,
    {
      failureType,
      operatorErrors: errors,
      context: { ...context, ...(cause && { error_code: cause.errors[0]!.error_code }) },
      recoverable: (cause?.errors ?? errors).some(({ retryable }) => retryable),
    },
  )
}

/**
 * The failure of a task that no operator can work on: none is connected, or no connected one is
 * registered for its quorums (-32617 in the notification's `context.error_code`).
 */
export function noOperator(
  operators: readonly Operator[],
  { errors, stakes }: { readonly errors: readonly OperatorError[]; readonly stakes: Stakes },
): TaskFailure {
  const { signed, required } = stakes.standing([])
  const connected = operators.length > 0
  const context = contextOf(signed, required, 0)
  return new TaskFailure(
    connected
      ? `Operator not registered: none of the ${operators.length} connected operators is registered for the quorums of the task`
      : 'No operators available',
    {
      failureType: connected ? 'quorum_not_reached' : 'channel_error',
      operatorErrors: errors,
      context: connected ? { ...context, error_code: errorCode.operatorNotRegistered } : context,
      recoverable: true,
    },
  )
}

const shownMessages = 3
const maxMessageLength = 200

/** What went wrong, each once. */
function messagesOf(errors: readonly OperatorError[]): string {
  const messages = [...new Set(errors.map(({ message }) => message.slice(0, maxMessageLength)))]
  const more = messages.length > shownMessages ? [`${messages.length - shownMessages} more`] : []
  return [...messages.slice(0, shownMessages), ...more].join('; ')
}

const contextOf = (signed: bigint, required: bigint, operators: number) => ({
  signed_stake: signed.toString(),
  required_stake: required.toString(),
  operator_count: operators,
})

type Cause = { readonly kind: FaultKind; readonly errors: readonly OperatorError[] }

/** The kind with the most stake among the errors that alone prevented the quorum. */
function causeOf(
  errors: readonly OperatorError[],
  stakes: Stakes,
  signers: readonly Bytes32[],
): Cause | undefined {
  const kinds = new Map<FaultKind, OperatorError[]>()
  for (const error of errors) {
    const kind = kindOfFault(error.message)
    kinds.set(kind, [...(kinds.get(kind) ?? []), error])
  }
  const idsOf = (some: readonly OperatorError[]) => some.map(({ operator_id }) => operator_id)
  const only = kinds.size === 1
  return [...kinds]
    .map(([kind, some]) => ({ kind, errors: some, ids: idsOf(some) }))
    .filter(({ ids }) => only || stakes.reached([...signers, ...ids]))
    .sort((a, b) => (stakes.weight(a.ids) >= stakes.weight(b.ids) ? -1 : 1))[0]
}

function failureTypeOf(kind: FaultKind | undefined): FailureType {
  if (kind === 'rego' || kind === 'oracle') return 'policy_evaluation_failed'
  if (kind === 'signature') return 'signature_verification_failed'
  return 'quorum_not_reached'
}

const isUnreachable = ({ message }: OperatorError) => kindOfFault(message) === 'unreachable'

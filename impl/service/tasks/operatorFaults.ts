import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'

/** What a fault is to a task whose quorum fails for it (section 6.3). */
export type FaultKind = 'rego' | 'oracle' | 'signature' | 'unreachable' | 'other'

type Fault = {
  /** `message` of the entry; what is known of the case follows it. */
  readonly message: string
  /** Section 7.2 where it has a code for it, else that of an internal error. */
  readonly code: number
  /** Whether the same task, sent again, may find the operator without the fault. */
  readonly retryable: boolean
  readonly kind: FaultKind
  readonly clause: string
  readonly hint: string
}

const signature = {
  code: errorCode.internalError,
  retryable: false,
  kind: 'signature',
  clause: 'decision C2',
  hint: 'Compare the key of the operator with its registration.',
} as const

const data = {
  code: errorCode.dataProvider,
  retryable: true,
  kind: 'other',
  clause: 'decision T8',
  hint: 'Compare the sources that the operators ask.',
} as const

/**
 * Every fault that the gateway finds in an operator, as `operator_errors` tells it (section 2.5,
 * decision T14). What an operator tells of itself (Rego, an oracle, a busy queue) has the code and
 * the `retryable` that it tells, and what keeps the gateway from reaching it those of `operators`.
 *
 * Time and the sources that operators ask may mend by themselves: retryable. A key, a program or a
 * configuration does not, and whoever signs two things is not to be asked again.
 */
export const operatorFaults = {
  /** The others had decided it, and this one had not answered within the grace. */
  late: {
    message: 'operator unreachable: no answer in time',
    code: errorCode.internalError,
    retryable: true,
    kind: 'unreachable',
    clause: 'section 2.5',
    hint: 'Look at what keeps the operator busy, or give operators a longer grace.',
  },
  /** It was waited for until the task had no more time. */
  silent: {
    message: 'operator unreachable: no answer until the task timed out',
    code: errorCode.internalError,
    retryable: true,
    kind: 'unreachable',
    clause: 'section 8',
    hint: 'Start the operator, or send the task again once it is back.',
  },
  /** Not in the form of an answer: no JSON object, another number of outputs, no point. */
  malformed: {
    message: 'operator answered',
    code: errorCode.internalError,
    retryable: false,
    kind: 'other',
    clause: 'decision T8',
    hint: 'Update the operator: it does not speak the protocol of this gateway.',
  },
  dataDeviates: { ...data, message: 'policy data deviates from the median by more than 10 %' },
  dataDiffers: { ...data, message: 'policy data differs from what the quorum saw' },
  /** A good signature over a result that the others do not share. */
  anotherResult: {
    ...signature,
    message: 'operator signature refused: it is over another result',
    kind: 'other',
    hint: 'Compare the version of the operator with that of the others.',
  },
  /** Off the curve, or a coordinate that is not below the field modulus. */
  noPoint: { ...signature, message: 'operator signature refused: it is no point of the curve' },
  infinity: { ...signature, message: 'operator signature refused: it is the point at infinity' },
  wrongSignature: {
    ...signature,
    message: "operator signature refused: it is none of the operator's key over the response",
  },
  anothersKey: {
    ...signature,
    message: 'operator signature refused: it is by the key of another operator',
    hint: 'Give every operator the key that it is registered with.',
  },
  /** Its signature is over another response than the one it told. */
  equivocated: {
    ...signature,
    message: 'operator signature refused: operator equivocated',
    clause: 'decision C13',
    hint: 'The log has the signature as evidence; a second result of a quorum voids an attestation.',
  },
  connectedTwice: {
    message: 'operator connected twice: another connection of its id counts',
    code: errorCode.internalError,
    retryable: false,
    kind: 'other',
    clause: 'decision C4',
    hint: 'Configure every operator once.',
  },
  notRegistered: {
    message: 'operator is not registered for the quorums of the task',
    code: errorCode.operatorNotRegistered,
    retryable: false,
    kind: 'other',
    clause: 'section 7.2',
    hint: 'Register the operator, or name a quorum that it is in.',
  },
} as const satisfies Readonly<Record<string, Fault>>

export type FaultName = keyof typeof operatorFaults

/** The error of a fault. @param about what is known of the case, after the message. */
export function operatorFault(name: FaultName, about = ''): ServiceError {
  const { message, ...rest } = operatorFaults[name]
  return new ServiceError(`${message}${about}`, rest)
}

const told: readonly Pick<Fault, 'message' | 'kind'>[] = [
  { message: 'Rego evaluation failed: ', kind: 'rego' },
  { message: 'WASM execution failed: ', kind: 'oracle' },
  { message: 'operator unreachable: ', kind: 'unreachable' },
]

/** @param message of an entry of `operator_errors` */
export const kindOfFault = (message: string): FaultKind =>
  [...Object.values<Fault>(operatorFaults), ...told].find((fault) =>
    message.startsWith(fault.message),
  )?.kind ?? 'other'

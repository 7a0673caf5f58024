import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'

/** How a fault counts when the quorum fails because of it (section 6.3). */
export type FaultKind = 'rego' | 'oracle' | 'signature' | 'unreachable' | 'other'

type Fault = {
  /** `message` of the entry; details follow it. */
  readonly message: string
  /** A code of section 7.2 if there is one, else that of an internal error. */
  readonly code: number
  /** Whether the operator may succeed when the same task is sent again. */
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
  hint: 'Compare the data sources of the operators.',
} as const

/**
 * Every fault that the gateway detects in an operator, as reported in `operator_errors` (section
 * 2.5, decision T14). Errors that an operator reports itself (Rego, an oracle, a busy queue) keep
 * their code and `retryable`; for connection errors see `operators`.
 *
 * Timeouts and differing data sources may recover: retryable. A wrong key, program or configuration
 * does not, and an operator that signs two responses should not be retried.
 */
export const operatorFaults = {
  /** The others sufficed, and this one had not answered within the grace period. */
  late: {
    message: 'operator unreachable: no answer in time',
    code: errorCode.internalError,
    retryable: true,
    kind: 'unreachable',
    clause: 'section 2.5',
    hint: 'Check the load of the operator, or configure a longer grace period.',
  },
  /** No answer before the task timed out. */
  silent: {
    message: 'operator unreachable: no answer until the task timed out',
    code: errorCode.internalError,
    retryable: true,
    kind: 'unreachable',
    clause: 'section 8',
    hint: 'Start the operator, or send the task again once it is back.',
  },
  /** An invalid answer: not a JSON object, a wrong number of outputs, no coordinates. */
  malformed: {
    message: 'invalid operator answer',
    code: errorCode.internalError,
    retryable: false,
    kind: 'other',
    clause: 'decision T8',
    hint: 'Update the operator: its protocol does not match this gateway.',
  },
  dataDeviates: { ...data, message: 'policy data deviates from the median by more than 10 %' },
  dataDiffers: { ...data, message: 'policy data differs from the data of the quorum' },
  /** A valid signature over a result that the others do not share. */
  anotherResult: {
    ...signature,
    message: 'invalid operator signature: signs another result',
    kind: 'other',
    hint: 'Compare the version of the operator with that of the others.',
  },
  /** Off the curve, or with a coordinate that is not below the field modulus. */
  noPoint: { ...signature, message: 'invalid operator signature: not a point on the curve' },
  infinity: { ...signature, message: 'invalid operator signature: point at infinity' },
  wrongSignature: {
    ...signature,
    message: "invalid operator signature: does not verify against the operator's key",
  },
  anothersKey: {
    ...signature,
    message: 'invalid operator signature: signed with the key of another operator',
    hint: 'Give every operator the key that it is registered with.',
  },
  /** Its signature is over another response than the one it returned. */
  equivocated: {
    ...signature,
    message: 'invalid operator signature: operator equivocated',
    clause: 'decision C13',
    hint: 'The log contains the signature as evidence; a second result of a quorum invalidates an attestation.',
  },
  /** An opener says so; it proves it to nobody, so that the entry only names both. */
  wrongPartial: {
    message: 'invalid partial decryption',
    code: errorCode.internalError,
    retryable: false,
    kind: 'other',
    clause: 'section 4.10',
    hint: 'Compare the key share of the operator with the roster; restore it from a backup.',
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
    hint: 'Register the operator, or use a quorum that it belongs to.',
  },
} as const satisfies Readonly<Record<string, Fault>>

export type FaultName = keyof typeof operatorFaults

/** The error of a fault. @param about details, appended to the message. */
export function operatorFault(name: FaultName, about = ''): ServiceError {
  const { message, ...rest } = operatorFaults[name]
  return new ServiceError(`${message}${about}`, rest)
}

const reportedFaults: readonly Pick<Fault, 'message' | 'kind'>[] = [
  { message: 'Rego evaluation failed: ', kind: 'rego' },
  { message: 'WASM execution failed: ', kind: 'oracle' },
  // An input of the policy is missing, as with an oracle.
  { message: 'Private data failed: ', kind: 'oracle' },
  { message: 'operator unreachable: ', kind: 'unreachable' },
]

/** @param message of an entry of `operator_errors` */
export const kindOfFault = (message: string): FaultKind =>
  [...Object.values<Fault>(operatorFaults), ...reportedFaults].find((fault) =>
    message.startsWith(fault.message),
  )?.kind ?? 'other'

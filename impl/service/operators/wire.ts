import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'

/**
 * How gateway and operator talk when the operator is a process of its own: JSON over HTTP, one path
 * a call, every message signed with a secret that both have (see `operatorSignature.ts`).
 */
export const operatorPaths = {
  identity: '/v1/identity',
  collectData: '/v1/data',
  evaluate: '/v1/evaluate',
  sign: '/v1/sign',
  checkSecrets: '/v1/secrets',
} as const

/** For whoever supervises the process; unsigned, and tells nothing. */
export const healthPath = '/health'

/** Larger than any request that the gateway's own limits let through. */
export const operatorBodyLimit = 8 * 1024 * 1024

export const jsonType = 'application/json'

/** Why an operator does not listen to a request, as it says it with HTTP 401. */
export const refusals = {
  unsigned: 'the request is not signed',
  badSignature: 'the signature is not one of this request by a known secret',
  tooOld: 'the signature is too old, or the clocks differ',
  replayed: 'the request has been here before',
  wrongDigest: 'the body is not the one that was signed',
  otherOperator: 'the request is meant for another operator',
} as const
export type Refusal = keyof typeof refusals

/** A `ServiceError` as it crosses the wire: never its cause. */
export type WireError = {
  readonly code: number
  readonly message: string
  readonly clause: string
  readonly retryable: boolean
}

export const toWireError = (error: unknown): WireError =>
  error instanceof ServiceError
    ? { code: error.code, message: error.message, clause: error.clause, retryable: error.retryable }
    : {
        code: errorCode.internalError,
        message: 'operator failed',
        clause: 'section 7.1',
        retryable: true,
      }

/** The error that an operator told of; one it did not tell properly is its own. */
export function fromWireError(told: unknown): ServiceError {
  const { message, code, clause, retryable } = (told ?? {}) as Partial<
    Record<keyof WireError, unknown>
  >
  if (typeof message !== 'string' || typeof code !== 'number' || !Number.isInteger(code)) {
    return new ServiceError('operator failed', {
      code: errorCode.internalError,
      clause: 'section 7.1',
      retryable: true,
    })
  }
  return new ServiceError(message, {
    code,
    clause: typeof clause === 'string' ? clause : 'section 7.2',
    retryable: retryable === true,
  })
}

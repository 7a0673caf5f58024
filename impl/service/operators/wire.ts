import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'

/**
 * The protocol between gateway and an operator in a separate process: JSON over HTTP, one path per
 * call, every message signed with a shared secret (see `operatorSignature.ts`).
 */
export const operatorPaths = {
  identity: '/v1/identity',
  collectData: '/v1/data',
  evaluate: '/v1/evaluate',
  beginOpening: '/v1/opening',
  sign: '/v1/sign',
  checkSecrets: '/v1/secrets',
} as const

/** For process supervisors; unsigned, without content. */
export const healthPath = '/health'

/** Larger than any request within the gateway's limits. */
export const operatorBodyLimit = 8 * 1024 * 1024

export const jsonType = 'application/json'

/** Reasons for rejecting a request, in the body of HTTP 401. */
export const refusals = {
  unsigned: 'the request is not signed',
  badSignature: 'the signature does not verify with a known secret',
  tooOld: 'the signature is too old, or the clocks differ',
  replayed: 'the request was already received',
  wrongDigest: 'the body does not match the signed digest',
  otherOperator: 'the request is for another operator',
} as const
export type Refusal = keyof typeof refusals

/** A `ServiceError` in JSON, without its cause. */
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

/** The error from an operator; malformed ones become a generic error. */
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

import { errorCode } from '../protocol/jsonRpc.ts'
import { ServiceError } from '../protocol/serviceError.ts'

/**
 * How gateway and operator talk when the operator is a process of its own: JSON over HTTP on a
 * private network, one path a call, a shared token in `Authorization`.
 */
export const operatorPaths = {
  identity: '/v1/identity',
  collectData: '/v1/data',
  evaluate: '/v1/evaluate',
  sign: '/v1/sign',
  checkSecrets: '/v1/secrets',
} as const

/** Larger than any request that the gateway's own limits let through. */
export const operatorBodyLimit = 8 * 1024 * 1024

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

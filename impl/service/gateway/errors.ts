import { errorCode, type JsonRpcError } from 'polgate-protocol/jsonRpc.ts'
import type { RpcPermission } from 'polgate-protocol/methods/method.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { StoreError } from '../store/storeError.ts'

/** -32700, HTTP 200 (section 7.1, decision E7). */
export const parseError = (reason: string, cause?: unknown) =>
  new ServiceError('Parse error', {
    code: errorCode.parseError,
    clause: 'section 7.1',
    data: { reason },
    cause,
  })

/** -32600, HTTP 200 (section 7.1, decision E7). */
export const invalidRequest = (reason: string) =>
  new ServiceError('Invalid request', {
    code: errorCode.invalidRequest,
    clause: 'section 7.1',
    data: { reason },
  })

/** -32601; the word in the message is the vendor's (section 7.3). */
export const unknownMethod = (word: string, method: string) =>
  new ServiceError(`Unknown ${word} RPC method: ${method.slice(0, 128)}`, {
    code: errorCode.methodNotFound,
    clause: 'section 7.3',
    hint: 'rpc.discover lists the methods.',
  })

/** -32003, HTTP 403 (section 7.3, decision E8). */
export const permissionRequired = (permission: RpcPermission) =>
  new ServiceError(`${permission} permission required`, {
    code: errorCode.permission,
    clause: 'section 7.3',
  })

/** -32005, HTTP 429 with `Retry-After` (decision E8). */
export const rateLimited = (retryAfterSeconds: number) =>
  new ServiceError('Rate limit exceeded', {
    code: errorCode.rateLimited,
    clause: 'section 7.4',
    retryable: true,
    data: { retry_after_seconds: retryAfterSeconds },
  })

/** -32603 for unexpected errors, whose text is only logged (section 7.1). */
export const internalError = (cause: unknown) =>
  new ServiceError('Internal error', {
    code: errorCode.internalError,
    clause: 'section 7.1',
    cause,
  })

/** The store is unavailable: -32603 with HTTP 502 (section 7.4). */
export class BackendUnavailable extends ServiceError {
  constructor(cause: unknown) {
    super('Service unavailable', {
      code: errorCode.internalError,
      clause: 'section 7.4',
      retryable: true,
      cause,
    })
  }
}

export function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  const gone = error instanceof StoreError && error.code === 'unavailable'
  return gone ? new BackendUnavailable(error) : internalError(error)
}

/** The error object of a response: code, message and public context, without the cause. */
export const errorObject = (error: ServiceError): JsonRpcError => ({
  code: error.code,
  message: error.message,
  ...(error.data === undefined ? {} : { data: error.data }),
})

const statuses = new Map<number, 401 | 403 | 429 | 500>([
  [errorCode.invalidApiKey, 401],
  [errorCode.permission, 403],
  [errorCode.rateLimited, 429],
  [errorCode.internalError, 500],
])

/** HTTP status of a response that is only an error (section 7.4, decision E8). */
export const statusOf = (error: ServiceError): 200 | 401 | 403 | 429 | 500 | 502 =>
  error instanceof BackendUnavailable ? 502 : (statuses.get(error.code) ?? 200)

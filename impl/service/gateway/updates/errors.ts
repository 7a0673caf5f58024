import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'

/** One text for a task that does not exist and for one of another key (decision W2). */
export const unknownTask = () =>
  new ServiceError('Unknown task', {
    code: errorCode.invalidParams,
    clause: 'decision W2',
    hint: 'Subscribe with the key that the task was sent with.',
  })

export const tooManySubscriptions = (limit: number) =>
  new ServiceError(`Too many subscriptions: a connection has at most ${limit}`, {
    code: errorCode.rateLimited,
    clause: 'decisions, section 9',
    retryable: true,
  })

export const tooManyConnections = () =>
  new ServiceError('Too many connections', {
    code: errorCode.rateLimited,
    clause: 'decisions, section 9',
    retryable: true,
    data: { retry_after_seconds: 5 },
  })

export const originRefused = () =>
  new ServiceError('Origin not allowed', {
    code: errorCode.permission,
    clause: 'decision E12',
    hint: 'List the origin in corsOrigins.',
  })

export const closing = () =>
  new ServiceError('Service unavailable', {
    code: errorCode.internalError,
    clause: 'section 7.4',
    retryable: true,
  })

/** The key that a connection was opened with is no longer good, or no longer may (decision K9). */
export const isKeyFault = (error: ServiceError): boolean =>
  error.code === errorCode.invalidApiKey || error.code === errorCode.permission

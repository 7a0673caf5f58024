import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'

/** The same error for an unknown task and for a task of another key (decision W2). */
export const unknownTask = () =>
  new ServiceError('Unknown task', {
    code: errorCode.invalidParams,
    clause: 'decision W2',
    hint: 'Subscribe with the key that created the task.',
  })

export const tooManySubscriptions = (limit: number) =>
  new ServiceError(`Too many subscriptions: a connection may have at most ${limit}`, {
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
    hint: 'Add the origin to corsOrigins.',
  })

export const closing = () =>
  new ServiceError('Service unavailable', {
    code: errorCode.internalError,
    clause: 'section 7.4',
    retryable: true,
  })

/** Whether the key of a connection is no longer valid or no longer has permission (decision K9). */
export const isKeyFault = (error: ServiceError): boolean =>
  error.code === errorCode.invalidApiKey || error.code === errorCode.permission

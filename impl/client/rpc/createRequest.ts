import type { ClientBrand } from '../client/brand.ts'
import { type CallOptions, type Connection, checkNumber } from '../client/connection.ts'
import { RateLimitedError } from '../errors/accessErrors.ts'
import type { ClientError } from '../errors/clientError.ts'
import { TaskStateUnknownError } from '../errors/taskErrors.ts'
import {
  InternalServiceError,
  NetworkError,
  RequestTimeoutError,
  ResponseMalformedError,
  ResponseTooLargeError,
  UnavailableError,
  UnexpectedStatusError,
} from '../errors/transportErrors.ts'
import type { RpcMethods } from '../generated/rpcTypes.ts'
import { createDeadline } from '../transport/deadline.ts'
import { exchange } from '../transport/exchange.ts'
import { uuid } from '../transport/uuid.ts'
import { withRetries } from '../transport/withRetries.ts'
import { parseAnswer } from './parseAnswer.ts'

export type MethodName = keyof RpcMethods

/** Calls a method; the name is without the brand's prefix. */
export type Request = <M extends MethodName>(
  method: M,
  params: RpcMethods[M]['params'],
  options?: CallOptions,
) => Promise<RpcMethods[M]['result']>

/** A repetition would make another task, and another attestation. */
const createsTask: ReadonlySet<MethodName> = new Set(['createTask', 'sendTask'])

const isNotSent = (error: unknown): boolean =>
  error instanceof RateLimitedError || (error instanceof NetworkError && error.notSent)

const isTransient = (error: unknown): boolean =>
  error instanceof NetworkError || error instanceof UnavailableError || isNotSent(error)

/** Errors after which nobody knows whether the request was executed. */
const isUncertain = (error: unknown): boolean =>
  (error instanceof NetworkError && !error.notSent) ||
  error instanceof RequestTimeoutError ||
  error instanceof ResponseMalformedError ||
  error instanceof ResponseTooLargeError ||
  error instanceof UnavailableError ||
  error instanceof UnexpectedStatusError ||
  error instanceof InternalServiceError

/**
 * The JSON-RPC transport (section 4.1). Repeats, within its time: after 429, and where no connection
 * was made, every method; after other network errors and 502, 503 and 504, all methods but the two
 * that create tasks. These throw TaskStateUnknownError instead.
 */
export function createRequest(connection: Connection, brand: ClientBrand): Request {
  return async (method, params, options = {}) => {
    const { signal } = options
    const timeoutMs = checkNumber(
      'timeoutMs',
      options.timeoutMs ?? connection.timeoutMs,
      1,
      2 ** 31 - 1,
    )
    const retries = checkNumber('retries', options.retries ?? connection.retries, 0, 100)
    const metaMessages = [`Method: ${brand.methodPrefix}${method}`]
    signal?.throwIfAborted()
    const deadline = createDeadline(timeoutMs, signal)

    const attempt = async (): Promise<unknown> => {
      const id = uuid()
      const key = await connection.getKey()
      const body = { jsonrpc: '2.0', id, method: `${brand.methodPrefix}${method}`, params }
      const answer = await exchange({
        fetch: connection.fetch,
        url: `${connection.url}/rpc`,
        init: {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
          body: JSON.stringify(body),
        },
        deadline,
        timeoutMs,
        maxBytes: connection.maxResponseBytes,
        metaMessages,
        signal,
      })
      return parseAnswer(`${brand.methodPrefix}${method}`, id, answer, { metaMessages })
    }

    try {
      const mayRepeat = createsTask.has(method) ? isNotSent : isTransient
      const result = await withRetries(attempt, { retries, deadline, signal, mayRepeat })
      return result as RpcMethods[typeof method]['result']
    } catch (cause) {
      if (createsTask.has(method) && isUncertain(cause))
        throw new TaskStateUnknownError({
          cause,
          metaMessages,
          details: (cause as ClientError).shortMessage,
        })
      throw cause
    } finally {
      deadline.release()
    }
  }
}

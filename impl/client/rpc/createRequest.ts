import type { ClientBrand } from '../client/brand.ts'
import { type CallOptions, type Connection, checkNumber } from '../client/connection.ts'
import { throwIfAborted } from '../errors/abortError.ts'
import { InvalidParamsError, RateLimitedError } from '../errors/accessErrors.ts'
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
import { withinDeadline } from '../transport/withinDeadline.ts'
import { withRetries } from '../transport/withRetries.ts'
import { parseAnswer } from './parseAnswer.ts'

export type MethodName = keyof RpcMethods

type RequestOptions = CallOptions & {
  /** The service refuses to do it again: it is repeated only if it is certain that it was not done. */
  readonly once?: boolean | undefined
}

/** Calls a method; the name is without the brand's prefix. */
export type Request = <M extends MethodName>(
  method: M,
  params: RpcMethods[M]['params'],
  options?: RequestOptions,
) => Promise<RpcMethods[M]['result']>

/** A repetition would make another task, and another attestation. */
const createsTask: ReadonlySet<MethodName> = new Set(['createTask', 'sendTask'])

const isNotSent = (error: unknown): boolean =>
  error instanceof RateLimitedError || (error instanceof NetworkError && error.notSent)

const isTransient = (error: unknown): boolean =>
  error instanceof NetworkError || error instanceof UnavailableError || isNotSent(error)

/** A redirect, or a refusal: but for 408 and 499, by which a proxy reports a lost connection. */
const isRefusal = (status: number): boolean =>
  status === 0 || (status >= 300 && status < 500 && status !== 408 && status !== 499)

/** Errors after which nobody knows whether the request was executed. */
const isUncertain = (error: unknown): boolean =>
  (error instanceof NetworkError && !error.notSent) ||
  error instanceof RequestTimeoutError ||
  error instanceof ResponseMalformedError ||
  error instanceof ResponseTooLargeError ||
  error instanceof UnavailableError ||
  (error instanceof UnexpectedStatusError && !isRefusal(error.status)) ||
  error instanceof InternalServiceError

/** @throws InvalidParamsError for what JSON cannot express, such as a bigint */
function checkParams(params: unknown, metaMessages: readonly string[]): void {
  try {
    JSON.stringify(params)
  } catch (cause) {
    throw new InvalidParamsError({ cause, metaMessages, details: 'they cannot be written as JSON' })
  }
}

/**
 * The JSON-RPC transport (section 4.1). Repeats, within its time: after 429, and where no connection
 * was made, every method; after other network errors and 502, 503 and 504, all methods but
 * `unregisterWebhook` and the two that create tasks. These two throw TaskStateUnknownError instead.
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
    throwIfAborted(signal)
    checkParams(params, metaMessages)
    const deadline = createDeadline(timeoutMs, signal)
    // Whether the last attempt may have sent something.
    let begun = false

    const attempt = async (): Promise<unknown> => {
      const id = uuid()
      begun = false
      const bounds = { deadline, timeoutMs, metaMessages, signal }
      const key = await withinDeadline(connection.getKey, bounds)
      begun = true
      const body = { jsonrpc: '2.0', id, method: `${brand.methodPrefix}${method}`, params }
      const answer = await exchange({
        fetch: connection.fetch,
        url: `${connection.url}/rpc`,
        init: {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
          body: JSON.stringify(body),
        },
        ...bounds,
        maxBytes: connection.maxResponseBytes,
      })
      return parseAnswer(`${brand.methodPrefix}${method}`, id, answer, { metaMessages })
    }

    try {
      const mayRepeat = createsTask.has(method) || options.once ? isNotSent : isTransient
      const result = await withRetries(attempt, { retries, deadline, signal, mayRepeat })
      return result as RpcMethods[typeof method]['result']
    } catch (cause) {
      if (createsTask.has(method) && begun && isUncertain(cause))
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

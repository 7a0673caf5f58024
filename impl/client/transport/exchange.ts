import type { Fetch } from '../client/connection.ts'
import { throwIfAborted } from '../errors/abortError.ts'
import {
  NetworkError,
  RequestTimeoutError,
  ResponseMalformedError,
  ResponseTooLargeError,
} from '../errors/transportErrors.ts'
import type { Deadline } from './deadline.ts'
import { readBounded } from './readBounded.ts'

export type Exchange = {
  readonly fetch: Fetch
  readonly url: string
  readonly init: {
    readonly method: string
    readonly headers: Record<string, string>
    readonly body?: string
  }
  readonly deadline: Deadline
  /** For the error. */
  readonly timeoutMs: number
  readonly maxBytes: number
  /** For errors, such as `Method: createTask`. */
  readonly metaMessages: readonly string[]
  readonly signal?: AbortSignal | undefined
}

export type Answer = { readonly status: number; readonly headers: Headers; readonly text: string }

/** Redirects would carry the key; the rest matters in browsers, and Node does not know it all. */
const careful = {
  redirect: 'manual',
  credentials: 'omit',
  cache: 'no-store',
  referrerPolicy: 'no-referrer',
} as const

/** Codes of Node that mean, where connecting failed, that there was nothing to send anything on. */
const neverConnected: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
])
/** An established connection can fail with the same codes, in `read` or `write`. */
const connecting: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo'])

type Fault = { readonly code?: unknown; readonly syscall?: unknown }

const isUnconnected = ({ code, syscall }: Fault): boolean =>
  code === 'UND_ERR_CONNECT_TIMEOUT' || (neverConnected.has(code) && connecting.has(syscall))

/** Node's errors with a code, anywhere in a chain of causes: several attempts are one error. */
function faultsOf(error: unknown, depth = 0): readonly Fault[] {
  if (typeof error !== 'object' || error === null || depth > 4) return []
  const { code, cause, errors } = error as Fault & { cause?: unknown; errors?: unknown }
  if (Array.isArray(errors)) return errors.flatMap((each) => faultsOf(each, depth + 1))
  return [...(typeof code === 'string' ? [error] : []), ...faultsOf(cause, depth + 1)]
}

/** The message of the first cause, such as `bad port`: that of `fetch` itself says nothing. */
function innermost(error: unknown): string | undefined {
  const { cause, message } = (error ?? {}) as { cause?: unknown; message?: unknown }
  if (cause !== undefined && cause !== null) return innermost(cause)
  return typeof message === 'string' ? message : undefined
}

function networkError(
  error: unknown,
  metaMessages: readonly string[],
  begun: boolean,
): NetworkError {
  const faults = faultsOf(error)
  const notSent = !begun && faults.length > 0 && faults.every(isUnconnected)
  const codes = new Set(faults.map(({ code }) => code))
  const details = codes.size > 0 ? [...codes].join(', ') : innermost(error)
  return new NetworkError({ notSent, details, metaMessages, cause: error })
}

/**
 * One HTTP exchange with a bounded answer. Redirects are not followed: they would carry the key.
 *
 * @throws NetworkError, RequestTimeoutError, ResponseTooLargeError, ResponseMalformedError, AbortError
 */
export async function exchange(options: Exchange): Promise<Answer> {
  const { fetch, url, init, deadline, maxBytes, metaMessages } = options
  let begun = false
  try {
    throwIfAborted(options.signal)
    const response = await fetch(url, { ...init, ...careful, signal: deadline.signal })
    begun = true
    const body = await readBounded(response, maxBytes)
    if ('text' in body) return { status: response.status, headers: response.headers, ...body }
    throw body.fault === 'too-large'
      ? new ResponseTooLargeError(maxBytes, { metaMessages })
      : new ResponseMalformedError('it is not UTF-8', { metaMessages })
  } catch (error) {
    if (error instanceof ResponseTooLargeError || error instanceof ResponseMalformedError)
      throw error
    throwIfAborted(options.signal)
    if (deadline.isOver()) throw new RequestTimeoutError(options.timeoutMs, { metaMessages })
    throw networkError(error, metaMessages, begun)
  }
}

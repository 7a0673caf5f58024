import { ClientError, type ErrorContext } from './clientError.ts'

/** There is no answer: no connection, or it broke. */
export class NetworkError extends ClientError {
  /** Whether it is certain that the request did not reach the server. */
  readonly notSent: boolean

  constructor(context: ErrorContext & { readonly notSent: boolean }) {
    const { notSent, ...rest } = context
    super(notSent ? 'The server cannot be reached.' : 'The connection failed before the answer.', {
      ...rest,
      name: 'NetworkError',
      code: 'NETWORK',
      hint: notSent
        ? 'Check the URL and that the server is running.'
        : 'In a browser, also check that the gateway allows the origin of the page (CORS).',
      docs: 'service.md#4.1',
    })
    this.notSent = notSent
  }
}

/** `timeoutMs` has passed without a complete answer. */
export class RequestTimeoutError extends ClientError {
  constructor(timeoutMs: number, context: ErrorContext = {}) {
    super(`There was no complete answer within ${timeoutMs} ms.`, {
      ...context,
      name: 'RequestTimeoutError',
      code: 'REQUEST_TIMEOUT',
      hint: 'Raise timeoutMs, or check the load of the gateway.',
    })
  }
}

/** The answer is not what the specification describes: truncated, of a proxy, or no service. */
export class ResponseMalformedError extends ClientError {
  constructor(reason: string, context: ErrorContext = {}) {
    super(`The answer is malformed: ${reason}.`, {
      ...context,
      name: 'ResponseMalformedError',
      code: 'RESPONSE_MALFORMED',
      hint: 'Check that the URL is that of the service, and what is between.',
      docs: 'service.md#4.1',
    })
  }
}

/** The answer is longer than `maxResponseBytes`; the rest was not read. */
export class ResponseTooLargeError extends ClientError {
  constructor(maxBytes: number, context: ErrorContext = {}) {
    super(`The answer is larger than ${maxBytes} bytes.`, {
      ...context,
      name: 'ResponseTooLargeError',
      code: 'RESPONSE_TOO_LARGE',
      hint: 'Raise maxResponseBytes if an answer may be that large.',
    })
  }
}

/** HTTP 413: the body of the request is too large (decision E9). */
export class RequestTooLargeError extends ClientError {
  constructor(context: ErrorContext = {}) {
    super('The request is larger than the gateway accepts.', {
      ...context,
      name: 'RequestTooLargeError',
      code: 'REQUEST_TOO_LARGE',
      docs: 'service.md#8',
    })
  }
}

/** The service, or what it depends on, is temporarily unavailable (section 7.4). */
export class UnavailableError extends ClientError {
  /** How long the server asked to wait, milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(context: ErrorContext & { readonly retryAfterMs?: number | undefined } = {}) {
    const { retryAfterMs, ...rest } = context
    super('The service is temporarily unavailable.', {
      ...rest,
      name: 'UnavailableError',
      code: 'UNAVAILABLE',
      hint: 'Try again later.',
      docs: 'service.md#7.4',
    })
    this.retryAfterMs = retryAfterMs
  }
}

/** HTTP 500, or -32603: a fault of the server (section 7.1). */
export class InternalServiceError extends ClientError {
  constructor(context: ErrorContext = {}) {
    super('The service failed internally.', {
      ...context,
      name: 'InternalServiceError',
      code: 'INTERNAL',
      hint: 'Report it with the time of the request.',
      docs: 'service.md#7.1',
    })
  }
}

/** A status that the specification does not know, such as a redirect or that of a proxy. */
export class UnexpectedStatusError extends ClientError {
  readonly status: number

  constructor(status: number, context: ErrorContext = {}) {
    super(
      status === 0 || (status >= 300 && status < 400)
        ? 'The server answered with a redirect, which is not followed.'
        : `The server answered with HTTP status ${status}.`,
      {
        ...context,
        name: 'UnexpectedStatusError',
        code: 'UNEXPECTED_STATUS',
        hint: 'Check the URL: it has no /rpc and no /v1 at its end.',
        docs: 'service.md#4.1',
      },
    )
    this.status = status
  }
}

/** An error object with a code that has no class of its own. */
export class RequestRefusedError extends ClientError {
  /** The JSON-RPC code (sections 7.1 and 7.2), if the answer had one. */
  readonly rpcCode: number | undefined

  constructor(context: ErrorContext & { readonly rpcCode?: number | undefined } = {}) {
    const { rpcCode, ...rest } = context
    super('The service refused the request.', {
      ...rest,
      name: 'RequestRefusedError',
      code: 'REQUEST_REFUSED',
      docs: 'service.md#7.2',
    })
    this.rpcCode = rpcCode
  }
}

/** The WebSocket of task updates cannot be used. */
export class SubscriptionFailedError extends ClientError {
  constructor(context: ErrorContext & { readonly attempts: number }) {
    const { attempts, ...rest } = context
    super(`The WebSocket could not be used in ${attempts} attempts.`, {
      ...rest,
      name: 'SubscriptionFailedError',
      code: 'SUBSCRIPTION_FAILED',
      hint: 'Check socketUrl and the key; in a browser, also that the gateway allows the origin of the page.',
      docs: 'decisions.md#W1',
    })
  }
}

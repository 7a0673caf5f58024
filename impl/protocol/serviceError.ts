import { errorCode } from './jsonRpc.ts'

export type ServiceErrorOptions = {
  /** JSON-RPC code (sections 7.1 and 7.2). */
  readonly code: number
  /** Section or decision that specifies the error, such as `section 7.3`. */
  readonly clause: string
  /** What the caller can do next. */
  readonly hint?: string | undefined
  /** Whether the same call may succeed later unchanged. */
  readonly retryable?: boolean | undefined
  /** Public, structured context: never a secret. */
  readonly data?: Record<string, unknown> | undefined
  readonly cause?: unknown
}

/** Maximum length of a message, which may quote text of any size from a contract or policy. */
export const longestMessage = 4_000

const bounded = (message: string): string =>
  message.length <= longestMessage
    ? message
    : `${message.slice(0, longestMessage).replace(/[\ud800-\udbff]$/, '')}...`

/**
 * Errors that are returned to callers. `message` is the exact text of section 7.3; hint, clause and
 * cause are internal, for logs and `explain()`.
 */
export class ServiceError extends Error {
  readonly code: number
  readonly clause: string
  readonly hint: string | undefined
  readonly retryable: boolean
  readonly data: Record<string, unknown> | undefined

  constructor(message: string, options: ServiceErrorOptions) {
    super(bounded(message), { cause: options.cause })
    this.name = 'ServiceError'
    this.code = options.code
    this.clause = options.clause
    this.hint = options.hint
    this.retryable = options.retryable ?? false
    this.data = options.data
  }

  /** The error as text, for a log or a terminal. */
  explain(): string {
    return [
      this.message,
      '',
      ...(this.hint === undefined ? [] : [`Hint:   ${this.hint}`]),
      `Clause: ${this.clause}`,
      `Code:   ${this.code}`,
    ].join('\n')
  }
}

/** -32602 with HTTP 200; `details` contains the path of the member (decision E6). */
export const invalidFormat = (details: string) =>
  new ServiceError(`Invalid request format: ${details}`, {
    code: errorCode.invalidParams,
    clause: 'section 7.3',
    hint: 'Compare the params with section 4 or with rpc.discover.',
  })

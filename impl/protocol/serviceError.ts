import { AppError, type AppErrorDetails } from 'polgate-lib/errors/appError.ts'
import { errorCode } from './jsonRpc.ts'

export type ServiceErrorOptions = AppErrorDetails & {
  /** JSON-RPC code (sections 7.1 and 7.2). */
  readonly code: number
  readonly clause: string
  /** Whether the same call may succeed later without a change. */
  readonly retryable?: boolean | undefined
  /** Public, structured context: never a secret. */
  readonly data?: Record<string, unknown> | undefined
}

/** Maximum length of a message, which may quote text of any size from a contract or policy. */
export const longestMessage = 4_000

const bounded = (message: string): string =>
  message.length <= longestMessage
    ? message
    : `${message.slice(0, longestMessage).replace(/[\ud800-\udbff]$/, '')}...`

/**
 * The one family of errors that reach a caller. `message` is the text of section 7.3 to the letter;
 * hint, clause and cause stay inside, for logs.
 */
export class ServiceError extends AppError<ServiceErrorOptions> {
  readonly retryable: boolean
  readonly data: Record<string, unknown> | undefined

  constructor(message: string, options: ServiceErrorOptions) {
    super(bounded(message), options)
    this.retryable = options.retryable ?? false
    this.data = options.data
  }
}

/** -32001, HTTP 401: a missing, unknown or expired key, or one that changed during its call (section 7.3). */
export const invalidApiKey = () =>
  new ServiceError('Invalid API key', { code: errorCode.invalidApiKey, clause: 'section 7.3' })

/** -32602 with HTTP 200; `details` contains the path of the member (decision E6). */
export const invalidFormat = (details: string) =>
  new ServiceError(`Invalid request format: ${details}`, {
    code: errorCode.invalidParams,
    clause: 'section 7.3',
    hint: 'Compare the params with section 4 or with rpc.discover.',
  })

/** What programs distinguish errors by; section 7.5 of the specification names the first four. */
export type ErrorCode =
  | 'TASK_TIMEOUT'
  | 'POLICY_NOT_FOUND'
  | 'ATTESTATION_EXPIRED'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'NOT_OWNER'
  | 'RATE_LIMITED'
  | 'INVALID_PARAMS'
  | 'INVALID_OPTIONS'
  | 'METHOD_NOT_FOUND'
  | 'NOT_FOUND'
  | 'REQUEST_REFUSED'
  | 'REQUEST_TOO_LARGE'
  | 'UNAVAILABLE'
  | 'INTERNAL'
  | 'ABORTED'
  | 'NETWORK'
  | 'REQUEST_TIMEOUT'
  | 'RESPONSE_MALFORMED'
  | 'RESPONSE_TOO_LARGE'
  | 'UNEXPECTED_STATUS'
  | 'SUBSCRIPTION_FAILED'
  | 'TASK_EXISTS'
  | 'TASK_FAILED'
  | 'TASK_NOT_FOUND'
  | 'TASK_STATE_UNKNOWN'
  | 'WAIT_TIMEOUT'
  | 'QUORUM_NOT_REACHED'
  | 'ORACLE_FAILED'
  | 'REGO_FAILED'
  | 'POLICY_DENIED'
  | 'SEALING_FAILED'
  | 'SIGNING_FAILED'
  | 'MISSING_SECRETS'
  | 'SECRETS_INVALID'
  | 'INCOMPATIBLE_VERSION'
  | 'CONTRACT_ERROR'
  | 'ATTESTATION_SPENT'
  | 'ATTESTATION_REFUSED'
  | 'NOT_SPENDABLE'
  | 'DOMAIN_UNKNOWN'
  | 'REGISTRATION_INVALID'
  | 'WEBHOOK_INVALID'

export type ErrorContext = {
  /** The error that this one explains. Never contains the API key. */
  readonly cause?: unknown
  /** What the other side said, in its words; cut after 1,000 characters. */
  readonly details?: string | undefined
  /** Lines such as `Method: createTask`. */
  readonly metaMessages?: readonly string[] | undefined
}

type ErrorDescription = ErrorContext & {
  readonly name: string
  readonly code: ErrorCode
  /** What to do next. */
  readonly hint?: string | undefined
  /** Where it is specified: a page of the specification and an anchor. */
  readonly docs?: string | undefined
}

/** Maximum length of `details`: contracts and policies may fail with text of any size. */
const longestDetails = 1_000

export const bounded = (text: string, longest = longestDetails): string =>
  text.length <= longest ? text : `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}...`

/**
 * Base of all errors of this package. `message` is complete: what is wrong, where, and what to do
 * next; `shortMessage` is its first line. Programs compare `code`, or use `instanceof`.
 */
export class ClientError extends Error {
  readonly code: ErrorCode
  readonly shortMessage: string
  readonly details: string | undefined
  readonly metaMessages: readonly string[]
  readonly hint: string | undefined
  readonly docs: string | undefined

  constructor(shortMessage: string, description: ErrorDescription) {
    const { name, code, cause, hint, docs, metaMessages = [] } = description
    const details = description.details === undefined ? undefined : bounded(description.details)
    const lines = [
      ...metaMessages,
      ...(details === undefined || details === '' ? [] : [`Details: ${details}`]),
      ...(docs === undefined ? [] : [`Docs: ${docs}`]),
    ]
    const first = hint === undefined ? shortMessage : `${shortMessage} ${hint}`
    super(
      lines.length === 0 ? first : `${first}\n\n${lines.join('\n')}`,
      cause === undefined ? undefined : { cause },
    )
    // Not from the constructor: minifiers rename classes.
    this.name = name
    this.code = code
    this.shortMessage = shortMessage
    this.details = details
    this.metaMessages = metaMessages
    this.hint = hint
    this.docs = docs
  }
}

/** Details of an error: clause, hint, and cause. */
export interface AttestationErrorDetails {
  readonly hint: string
  readonly clause: string
  readonly cause?: unknown
}

/** Base class of errors of this folder. Messages never contain a secret. */
export class AttestationError extends Error {
  readonly hint: string
  readonly clause: string

  constructor(message: string, details: AttestationErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = new.target.name
    this.hint = details.hint
    this.clause = details.clause
  }
}

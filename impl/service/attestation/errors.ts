/** What every error of the attestation room tells: what happened, what to do next, which clause. */
export interface AttestationErrorDetails {
  readonly hint: string
  readonly clause: string
  readonly cause?: unknown
}

/** The family of errors of this room. No message ever holds a secret. */
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

/**
 * `dealer`: a member sent an invalid message, which ends the run · `run`: a step out of order or of
 * another session · `state`: prevented by the stored share or the configuration · `point`: not a
 * valid point for decryption · `request`: not a request of a member, or not approved · `shortage`:
 * too few valid partial decryptions · `open`: the envelope is not for this key, client and chain.
 */
export type ThresholdErrorReason =
  | 'dealer'
  | 'run'
  | 'state'
  | 'point'
  | 'request'
  | 'shortage'
  | 'open'

/** The error of this folder. Messages contain members and counts, never a share or plaintext. */
export class ThresholdError extends Error {
  readonly reason: ThresholdErrorReason
  /** What to do next. */
  readonly hint: string | undefined

  constructor(
    reason: ThresholdErrorReason,
    message: string,
    options: { readonly hint?: string | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'ThresholdError'
    this.reason = reason
    this.hint = options.hint
  }
}

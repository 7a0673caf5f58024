/**
 * `dealer`: a member of the roster sent what it must not, the run ends and names it · `run`: a step
 * came out of order or from another session · `state`: what is kept on disk forbids it · `point`: not
 * a point that may be decrypted · `request`: not a request of a member, or not approved · `shortage`:
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

/** Every error of this room. Messages name members and counts, never a share or a plaintext. */
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

import { AppError, type AppErrorDetails } from 'polgate-lib/errors/appError.ts'

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
export class ThresholdError extends AppError<{ code: ThresholdErrorReason } & AppErrorDetails> {
  constructor(
    code: ThresholdErrorReason,
    message: string,
    options: { readonly hint?: string | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, { ...options, code })
  }
}

import { AppError, type AppErrorDetails } from 'polgate-lib/errors/appError.ts'

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

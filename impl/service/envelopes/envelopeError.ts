import { AppError } from 'polgate-lib/errors/appError.ts'

/**
 * `key`: not an encryption key · `format`: not an envelope · `open`: does not decrypt with this
 * key, client and chain · `plaintext`: the decrypted content is invalid.
 */
export type EnvelopeErrorReason = 'key' | 'format' | 'open' | 'plaintext'

/** Every error of this room. Messages name members and sizes, never what was in them. */
export class EnvelopeError extends AppError<{ code: EnvelopeErrorReason; cause?: unknown }> {
  constructor(code: EnvelopeErrorReason, message: string, cause?: unknown) {
    super(message, { code, cause })
  }
}

/**
 * `key`: not an encryption key · `format`: not an envelope · `open`: does not decrypt with this
 * key, client and chain · `plaintext`: the decrypted content is invalid.
 */
export type EnvelopeErrorReason = 'key' | 'format' | 'open' | 'plaintext'

/** The error of this folder. Messages contain member names and sizes, never values. */
export class EnvelopeError extends Error {
  readonly reason: EnvelopeErrorReason

  constructor(reason: EnvelopeErrorReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'EnvelopeError'
    this.reason = reason
  }
}

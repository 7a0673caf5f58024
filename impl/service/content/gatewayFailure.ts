/**
 * Why a gateway failed to return a block; the message continues a sentence that begins with its
 * host.
 */
export class GatewayFailure extends Error {
  /** Whether the gateway is at fault, so that others are preferred for a while. */
  readonly blamed: boolean
  /** Milliseconds of a Retry-After. */
  readonly retryAfterMs: number | undefined
  readonly tooLarge: boolean

  constructor(
    message: string,
    options: { blamed: boolean; retryAfterMs?: number; tooLarge?: boolean; cause?: unknown },
  ) {
    super(message, { cause: options.cause })
    this.blamed = options.blamed
    this.retryAfterMs = options.retryAfterMs
    this.tooLarge = options.tooLarge ?? false
  }
}

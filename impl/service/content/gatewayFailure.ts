import { AppError } from 'polgate-lib/errors/appError.ts'

/** Why a gateway did not give a block; the message reads on after its host. */
export class GatewayFailure extends AppError {
  /** Whether it is at fault, so that others are asked before it for a while. */
  readonly blamed: boolean
  /** Milliseconds of a Retry-After. */
  readonly retryAfterMs: number | undefined
  readonly tooLarge: boolean

  constructor(
    message: string,
    options: { blamed: boolean; retryAfterMs?: number; tooLarge?: boolean; cause?: unknown },
  ) {
    super(message, options)
    this.blamed = options.blamed
    this.retryAfterMs = options.retryAfterMs
    this.tooLarge = options.tooLarge ?? false
  }
}

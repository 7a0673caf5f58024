import { AppError } from 'polgate-lib/errors/appError.ts'

/**
 * `url`: malformed · `address`: forbidden address · `secret`: the stored secret cannot be
 * decrypted.
 */
export type WebhookErrorReason = 'url' | 'address' | 'secret'

/** Every error of this room. Messages name hosts at most: paths and queries often are credentials. */
export class WebhookError extends AppError<{ code: WebhookErrorReason; cause?: unknown }> {
  constructor(code: WebhookErrorReason, message: string, cause?: unknown) {
    super(message, { code, cause })
  }
}

import { AppError } from 'polgate-lib/errors/appError.ts'

/**
 * `url`: not what a webhook's address has to look like · `address`: a place that may not be sent to ·
 * `secret`: the stored secret does not open.
 */
export type WebhookErrorReason = 'url' | 'address' | 'secret'

/** Every error of this room. Messages name hosts at most: paths and queries often are credentials. */
export class WebhookError extends AppError<{ code: WebhookErrorReason; cause?: unknown }> {
  constructor(code: WebhookErrorReason, message: string, cause?: unknown) {
    super(message, { code, cause })
  }
}

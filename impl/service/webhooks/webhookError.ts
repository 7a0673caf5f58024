/**
 * `url`: not what a webhook's address has to look like · `address`: a place that may not be sent to ·
 * `secret`: the stored secret does not open.
 */
export type WebhookErrorReason = 'url' | 'address' | 'secret'

/** Every error of this room. Messages name hosts at most: paths and queries often are credentials. */
export class WebhookError extends Error {
  readonly reason: WebhookErrorReason

  constructor(reason: WebhookErrorReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'WebhookError'
    this.reason = reason
  }
}

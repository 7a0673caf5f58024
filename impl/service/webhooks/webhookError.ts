/**
 * `url`: malformed · `address`: forbidden address · `secret`: the stored secret cannot be
 * decrypted.
 */
export type WebhookErrorReason = 'url' | 'address' | 'secret'

/**
 * The error of this folder. Messages contain hosts at most, because paths and queries may be
 * credentials.
 */
export class WebhookError extends Error {
  readonly reason: WebhookErrorReason

  constructor(reason: WebhookErrorReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'WebhookError'
    this.reason = reason
  }
}

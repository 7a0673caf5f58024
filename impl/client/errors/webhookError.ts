import { ClientError, type ErrorContext } from './clientError.ts'

/** Why a webhook is rejected. Answer it with a 4xx status, which is not retried. */
export type WebhookFault =
  | 'body_not_raw'
  | 'body_too_large'
  | 'signature_missing'
  | 'signature_malformed'
  | 'signature_repeated'
  | 'signature_wrong'
  | 'payload_malformed'
  | 'idempotency_key_differs'

/** The request is not a genuine notification of the gateway (section 5.5). */
export class WebhookInvalidError extends ClientError {
  readonly fault: WebhookFault

  constructor(fault: WebhookFault, message: string, hint?: string, context: ErrorContext = {}) {
    super(message, {
      ...context,
      name: 'WebhookInvalidError',
      code: 'WEBHOOK_INVALID',
      hint,
      docs: 'service.md#5.5',
    })
    this.fault = fault
  }
}

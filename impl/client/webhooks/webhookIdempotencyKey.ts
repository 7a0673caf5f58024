import type { TaskFailureNotification } from '../generated/rpcTypes.ts'
import { headerValues, type WebhookHeaders } from './headerValues.ts'

/**
 * What to drop duplicates by: delivery is at least once (decision W7). It is the notification's id,
 * which `X-Idempotency-Key` repeats; that header is not signed, so take the id of the verified
 * notification where there is one.
 *
 * @returns undefined for headers without the key, or with several
 */
export function webhookIdempotencyKey(
  from: TaskFailureNotification | WebhookHeaders,
): string | undefined {
  if ('notification_id' in from && typeof from.notification_id === 'string')
    return from.notification_id
  const values = headerValues(from as WebhookHeaders, 'x-idempotency-key')
  return values.length === 1 && /^[0-9a-fA-F-]{36}$/.test(values[0]!) ? values[0] : undefined
}

import { attemptDelivery } from './attempt.ts'
import { attemptDeps, type WebhooksOptions } from './webhooks.ts'

export type Redelivery = {
  /** `failed`: no answer, or one after which the schedule would try again. */
  readonly outcome: 'delivered' | 'refused' | 'failed'
  readonly error: string | null
}

/**
 * Delivers a stored notification once more, at once: the same bytes and idempotency key to the webhook that its key has
 * now, signed with the secret of that webhook. Its row and its schedule stay as they are.
 *
 * @returns undefined if there is no such notification, or its key has no webhook
 */
export async function redeliver(
  options: WebhooksOptions,
  id: string,
): Promise<Redelivery | undefined> {
  const stored = await options.store.notifications.withTarget(id)
  if (stored === undefined) return undefined
  // Requested by a person: the filter of failure types does not apply, and nothing is retried.
  const once = { ...stored, failureTypes: null, maxRetries: 0 }
  const limit = AbortSignal.timeout(stored.timeoutSeconds * 1_000)
  const { end } = await attemptDelivery(attemptDeps(options), once, limit)
  if (end.error === null) return { outcome: 'delivered', error: null }
  const refused = 'outcome' in end && end.outcome === 'refused'
  return { outcome: refused ? 'refused' : 'failed', error: end.error }
}

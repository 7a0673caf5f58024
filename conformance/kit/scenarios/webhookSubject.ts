import type { Subject } from './refusedMember.ts'
import { anyUrl, expectRegistered, registerWebhook, withClearedKey } from './webhooks.ts'

const params = { url: anyUrl, secret: 'of no use', timeout_seconds: 5, max_retries: 1 }

/** A valid registration; invalid variants are never registered. */
export const registerWebhookSubject: Subject<'registerWebhook'> = {
  method: 'registerWebhook',
  needs: ['key:read', 'key:rpc'],
  twin: 'registerWebhook with a valid value',
  params: () => params,
  // Which permission is needed is open (clause 4.9-17): this key has both.
  key: 'rpc',
  accepted: (t) =>
    t.once('accepted webhook', () =>
      withClearedKey(t, async (key) => expectRegistered(await registerWebhook(t, params, key))),
    ),
}

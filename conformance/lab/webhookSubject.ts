import { withOwnKey } from './ownKey.ts'
import type { Subject } from './refusedMember.ts'
import { anyUrl, expectRegistered, registerWebhook, unregisterWebhook } from './webhooks.ts'

const params = { url: anyUrl, secret: 'of no use', timeout_seconds: 5, max_retries: 1 }

/** A registration that is right; what is wrong in one member is never registered. */
export const registerWebhookSubject: Subject = {
  method: 'registerWebhook',
  needs: ['key:read', 'key:rpc'],
  twin: 'registerWebhook with that member right',
  params: () => params,
  accepted: (t) =>
    t.once('accepted webhook', () =>
      withOwnKey(t, async (key) => {
        const result = expectRegistered(await registerWebhook(t, params, key))
        await t.cleanup(() => unregisterWebhook(t, key))
        return result
      }),
    ),
}

import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { Store } from 'polgate-service/store/openStore.ts'
import type { WebhookTools } from '../webhookRoutes.ts'
import { called, createFailureTriggers } from './failureTriggers.ts'
import { createWebhookInbox } from './webhookInbox.ts'
import type { WebhookRecords } from './webhookRecords.ts'

/** @param stack.description is called only once the stack has started */
export function openWebhookTools(stack: {
  readonly records: WebhookRecords
  readonly store: Pick<Store, 'apiKeys' | 'webhooks' | 'notifications'>
  readonly now: () => number
  readonly description: () => StackDescription
}): WebhookTools & {
  /** Before the control listener closes: what was changed for a failure is undone through it. */
  close(): Promise<void>
} {
  const { records, store, now, description } = stack
  const inbox = createWebhookInbox({
    ...{ apiKeys: store.apiKeys, webhooks: store.webhooks },
    gatewayUrl: () => description().gatewayUrl,
    brand: () => description().brand,
  })
  const triggers = createFailureTriggers({
    description,
    control: (path, init) => called(fetch(`${description().controlUrl}${path}`, init)),
  })
  return {
    ...{ inbox, records, triggers, notifications: store.notifications, now },
    async close() {
      await triggers.idle()
      await inbox.close()
    },
  }
}

import type { Handler } from './handler.ts'

/** Section 4.9. */
export const unregisterWebhook: Handler<'unregisterWebhook'> = (_, { webhooks, caller }) =>
  webhooks.unregister(caller)

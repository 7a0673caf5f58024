import type { Handler } from './handler.ts'

/** Section 4.9: one webhook per key; a second registration replaces the first. */
export const registerWebhook: Handler<'registerWebhook'> = (params, { webhooks, caller }) =>
  webhooks.register(params, caller)

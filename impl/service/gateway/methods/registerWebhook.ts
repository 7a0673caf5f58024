import type { Handler } from './handler.ts'

/** Section 4.9: one webhook a key; a second registration takes the place of the first. */
export const registerWebhook: Handler<'registerWebhook'> = (params, { webhooks, caller }) =>
  webhooks.register(params, caller)

import { type Method, NoParams } from './method.ts'
import { WebhookResult } from './registerWebhook.ts'

/** Section 4.9. */
export const unregisterWebhook = {
  summary: 'Removes the webhook of this key.',
  permission: 'RpcRead',
  params: NoParams,
  result: WebhookResult,
} as const satisfies Method

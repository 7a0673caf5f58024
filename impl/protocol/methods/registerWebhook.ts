import { type Static, Type } from '@sinclair/typebox'
import { FailureType } from '../notification.ts'
import type { Method } from './method.ts'

/** Section 4.9. */
export const RegisterWebhookParams = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 2048, description: 'an HTTPS URL' }),
  /** Signs the payloads (section 5.5). */
  secret: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
  timeout_seconds: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 60 })),
  max_retries: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
  failure_types: Type.Optional(Type.Array(FailureType, { maxItems: 16 })),
})
export type RegisterWebhookParams = Static<typeof RegisterWebhookParams>

export const WebhookResult = Type.Object({ success: Type.Boolean(), message: Type.String() })
export type WebhookResult = Static<typeof WebhookResult>

export const registerWebhook = {
  summary: 'Has failures of the tasks of this key sent to a URL.',
  permission: 'RpcRead',
  params: RegisterWebhookParams,
  result: WebhookResult,
} as const satisfies Method

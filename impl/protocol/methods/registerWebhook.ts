import { type Static, Type } from '@sinclair/typebox'
import { FailureType } from '../notification.ts'
import type { Method } from './method.ts'

/** Section 4.9. */
export const RegisterWebhookParams = Type.Object({
  /** Allowed hosts are checked on registration and again on delivery. */
  url: Type.String({
    pattern: '^[hH][tT][tT][pP][sS]?://[^\\s\\\\]+$',
    maxLength: 2048,
    description: 'an HTTPS URL',
  }),
  /** Signs the payloads (section 5.5). */
  secret: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
  /** Timeout of one attempt in total; default 10. */
  timeout_seconds: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 60 })),
  /** Retries after the first attempt (decision W6); default 3. */
  max_retries: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
  /** Default: all. An empty list is invalid; use unregisterWebhook. */
  failure_types: Type.Optional(Type.Array(FailureType, { minItems: 1, maxItems: 16 })),
})
export type RegisterWebhookParams = Static<typeof RegisterWebhookParams>

export const WebhookResult = Type.Object({ success: Type.Boolean(), message: Type.String() })
export type WebhookResult = Static<typeof WebhookResult>

export const registerWebhook = {
  summary: 'Registers a URL that receives failures of the tasks of this key.',
  permission: 'RpcRead',
  params: RegisterWebhookParams,
  result: WebhookResult,
} as const satisfies Method

import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import type {
  RegisterWebhookParams,
  WebhookResult,
} from 'polgate-protocol/methods/registerWebhook.ts'
import { invalidFormat, ServiceError } from 'polgate-protocol/serviceError.ts'
import type { WebhookQueries } from '../store/webhooks.ts'
import type { SecretSealer } from './sealedSecret.ts'
import { parseTarget, type TargetOptions } from './target.ts'
import { WebhookError } from './webhookError.ts'

/** Section 8. */
export const webhookDefaults = { timeoutSeconds: 10, maxRetries: 3 }

export type RegistryDeps = TargetOptions & {
  readonly webhooks: WebhookQueries
  readonly sealer: SecretSealer
}

/** The owner of a webhook: one per key (section 4.9). */
export type WebhookOwner = { readonly keyId: string }

export type WebhookRegistry = {
  register(params: RegisterWebhookParams, caller: WebhookOwner): Promise<WebhookResult>
  unregister(caller: WebhookOwner): Promise<WebhookResult>
}

/**
 * The two methods of section 4.9, with the messages of decision W9. A URL that is not HTTPS is
 * malformed and -32602; a well-formed one with a forbidden address is `success: false`.
 */
export const createRegistry = ({
  webhooks,
  sealer,
  allowLoopback,
}: RegistryDeps): WebhookRegistry => ({
  async register(params, { keyId }) {
    try {
      parseTarget(params.url, { allowLoopback })
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error
      if (error.code === 'url') throw invalidFormat(`url ${error.message}`)
      return { success: false, message: `Webhook not registered: ${error.message}` }
    }
    const stored = await webhooks.put({
      apiKeyId: keyId,
      url: params.url,
      sealedSecret: params.secret === undefined ? null : sealer.seal(params.secret, keyId),
      timeoutSeconds: params.timeout_seconds ?? webhookDefaults.timeoutSeconds,
      maxRetries: params.max_retries ?? webhookDefaults.maxRetries,
      failureTypes: params.failure_types === undefined ? null : [...new Set(params.failure_types)],
    })
    if (!stored) throw keyDeleted()
    return { success: true, message: `Webhook registered for ${params.url}` }
  },

  async unregister({ keyId }) {
    const removed = await webhooks.remove(keyId)
    return removed
      ? { success: true, message: 'Webhook unregistered' }
      : { success: false, message: 'No webhook registered' }
  },
})

/** The key was deleted during its call (section 7.3). */
const keyDeleted = () =>
  new ServiceError('Invalid API key', { code: errorCode.invalidApiKey, clause: 'section 7.3' })

import type {
  RegisterWebhookParams,
  WebhookResult,
} from 'polgate-protocol/methods/registerWebhook.ts'
import { invalidApiKey, invalidFormat } from 'polgate-protocol/serviceError.ts'
import type { UsedKey } from '../store/usedKey.ts'
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

export type WebhookRegistry = {
  register(params: RegisterWebhookParams, caller: UsedKey): Promise<WebhookResult>
  unregister(caller: UsedKey): Promise<WebhookResult>
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
  async register(params, caller) {
    const { keyId } = caller
    try {
      parseTarget(params.url, { allowLoopback })
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error
      if (error.code === 'url') throw invalidFormat(`url ${error.message}`)
      return { success: false, message: `Webhook not registered: ${error.message}` }
    }
    const { failure_types: types } = params
    const webhook = {
      apiKeyId: keyId,
      url: params.url,
      sealedSecret: params.secret === undefined ? null : sealer.seal(params.secret, keyId),
      timeoutSeconds: params.timeout_seconds ?? webhookDefaults.timeoutSeconds,
      maxRetries: params.max_retries ?? webhookDefaults.maxRetries,
      failureTypes: types === undefined ? null : [...new Set(types)],
    }
    if (!(await webhooks.put(webhook, caller))) throw invalidApiKey()
    return { success: true, message: `Webhook registered for ${params.url}` }
  },

  async unregister(caller) {
    const end = await webhooks.remove(caller.keyId, caller)
    if (end === 'key-changed') throw invalidApiKey()
    return end === 'removed'
      ? { success: true, message: 'Webhook unregistered' }
      : { success: false, message: 'No webhook registered' }
  },
})

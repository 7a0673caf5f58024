import type { Target } from '../core/target.ts'
import { type Profile, profiles } from '../register/profiles.ts'
import { createGateway } from '../wire/gateway.ts'
import { writingMethods } from './limits.ts'

/** A method that a gateway with the profile serves, without the brand's prefix. */
const methodOf: Readonly<Partial<Record<Profile, string>>> = {
  base: 'getSecretsPublicKey',
  tasks: 'createTask',
  webhooks: 'registerWebhook',
  simulation: 'simulatePolicy',
  secrets: 'storeEncryptedSecrets',
  'private-data': 'uploadIdentityEncrypted',
}

type Asked = Pick<Target, 'gatewayUrl' | 'brand' | 'keys' | 'limits'>

/**
 * Profiles that a gateway does not have because it does not know a method, which is called with empty params
 * and changes nothing. An answer that rejects the key says nothing.
 */
export async function unservedProfiles(
  target: Asked,
  fetch: typeof globalThis.fetch,
): Promise<ReadonlyMap<Profile, string>> {
  const transport = { baseUrl: target.gatewayUrl, keys: target.keys, fetch }
  const gateway = createGateway(transport, target.brand, { saw: () => {} })
  const key = target.keys.read === undefined ? null : 'read'
  const found = await Promise.all(
    profiles.map(async (profile) => {
      const name = methodOf[profile]
      const writes = (writingMethods as readonly string[]).includes(name ?? '')
      if (name === undefined || (writes && target.limits?.readOnly)) return []
      const { status, json } = await gateway.call(name, {}, { key, timeoutMs: 20_000 })
      const code = (json as { error?: { code?: unknown } } | undefined)?.error?.code
      const isUnknown = status === 404 || code === -32601
      return isUnknown ? [[profile, `${gateway.method(name)} is unknown`] as const] : []
    }),
  )
  return new Map(found.flat())
}

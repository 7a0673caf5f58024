import type { ClientSecrets } from 'polgate-fixtures/describeClient.ts'
import { CannotRun } from '../core/conformanceError.ts'
import type { Target } from '../core/target.ts'
import { seal } from '../crypto/envelope.ts'
import { freshFetch } from '../wire/freshFetch.ts'
import { createGateway } from '../wire/gateway.ts'

type Result = { readonly public_key?: string; readonly success?: boolean; readonly error?: string }
const resultOf = (json: unknown): Result => (json as { result?: Result } | undefined)?.result ?? {}

const errorOf = (json: unknown): string | undefined =>
  (json as { error?: { message?: string } } | undefined)?.error?.message

/**
 * Seals the secrets of the fixtures' oracles and uploads them, as owners of policy clients do
 * (section 4.5). A gateway that does not accept them is reported; its checks give details.
 */
export async function storeFixtureSecrets(
  target: Target,
  secrets: readonly ClientSecrets[],
  note: (text: string) => void,
): Promise<void> {
  const chainId = target.chain?.chainId
  const gateway = createGateway(
    { baseUrl: target.gatewayUrl, keys: target.keys, fetch: freshFetch },
    target.brand,
    { saw: () => {} },
  )
  if (chainId === undefined || secrets.length === 0) return
  const asked = await gateway.call('getSecretsPublicKey', {})
  const recipient = resultOf(asked.json).public_key
  if (recipient === undefined || !/^(0x)?[0-9a-f]{64}$/i.test(recipient)) {
    if (asked.status === 401 || asked.status === 403)
      throw new CannotRun(
        `the gateway rejects the API key that it was given (HTTP ${asked.status})`,
        'See conformance/targets/CONTRACT.md: apiKeys must be active.',
      )
    return note('the gateway has no secrets key: no secrets were uploaded')
  }
  for (const { policyClient, policyDataAddress, secrets: plaintext, key } of secrets) {
    if (target.keys[key] === undefined) continue
    const envelope = await seal({
      plaintext: JSON.stringify(plaintext),
      policyClient,
      chainId,
      recipient,
    })
    const params = {
      policy_client: policyClient,
      policy_data_address: policyDataAddress,
      envelope: JSON.stringify(envelope),
    }
    const answer = await gateway.call('storeEncryptedSecrets', params, { key })
    const { success, error = errorOf(answer.json) } = resultOf(answer.json)
    if (success !== true)
      note(`secrets of ${policyClient} were not stored: ${error ?? `HTTP ${answer.status}`}`)
  }
}

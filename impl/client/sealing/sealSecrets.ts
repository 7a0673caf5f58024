import { getSecretsPublicKey } from '../actions/getSecretsPublicKey.ts'
import { chainIdOf } from '../client/chainIdOf.ts'
import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import { InvalidOptionsError } from '../errors/accessErrors.ts'
import type { Hex } from '../hex.ts'
import { boundWhere } from './envelopeBinding.ts'
import { sealEnvelope } from './sealEnvelope.ts'

/** Named secrets of one oracle, as its schema wants them (section 2.7). */
export type Secrets = Readonly<Record<string, string>>

export type SealSecretsOptions = {
  readonly policyClient: Hex
  readonly secrets: Secrets
  /** Default: the chain of the client. */
  readonly chainId?: number | undefined
  /**
   * The oracle that the secrets are for. With it the envelope opens for this oracle and `use` alone, if the gateway supports
   * that (decision K18).
   */
  readonly policyDataAddress?: Hex | undefined
  /** `simulation` for `secrets` of `simulatePolicyData`; default `secrets`, to be stored. */
  readonly use?: 'secrets' | 'simulation' | undefined
}

/**
 * Seals secrets to the gateway's secrets key, never to the privacy key, with which they could not be
 * opened (section 4.10). `storeSecrets` uploads them, too. Seal again for a simulation: what was uploaded is not opened there.
 *
 * @throws InvalidOptionsError, without the secrets; the errors of `getSecretsPublicKey`
 */
export async function sealSecrets(
  client: BaseClient,
  { policyClient, secrets, chainId, policyDataAddress, use = 'secrets' }: SealSecretsOptions,
  options?: CallOptions,
): Promise<string> {
  const chain = chainIdOf(client, chainId)
  const wrong = Object.entries(secrets).find(([, value]) => typeof value !== 'string')
  if (wrong !== undefined)
    throw new InvalidOptionsError(
      `The secret ${wrong[0].slice(0, 100)} is not a string.`,
      'Secrets are named strings.',
    )
  const key = await getSecretsPublicKey(client, {}, options)
  const binding = policyDataAddress && { use, policyData: policyDataAddress }
  return await sealEnvelope({
    plaintext: new TextEncoder().encode(JSON.stringify(secrets)),
    policyClient,
    chainId: chain,
    recipientPublicKey: key.public_key,
    binding: boundWhere(key, binding),
  })
}

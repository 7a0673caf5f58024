import { storeEncryptedSecrets } from '../actions/storeEncryptedSecrets.ts'
import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import type { Hex } from '../hex.ts'
import { type SealSecretsOptions, sealSecrets } from './sealSecrets.ts'

export type StoreSecretsOptions = Omit<SealSecretsOptions, 'use'> & {
  /** The oracle that the secrets are for; each oracle has its own. */
  readonly policyDataAddress: Hex
}

/**
 * Seals the secrets of an oracle and uploads them (section 4.5). They replace earlier ones. Needs
 * RpcWrite for the upload and RpcRead for the public key, and a key of the client's owner.
 *
 * @returns `schema`: the JSON Schema that the secrets fit
 * @throws SecretsInvalidError, OwnershipError and others by cause
 */
export async function storeSecrets(
  client: BaseClient,
  stored: StoreSecretsOptions,
  options?: CallOptions,
) {
  const { policyClient, policyDataAddress } = stored
  const envelope = await sealSecrets(client, { ...stored, use: 'secrets' }, options)
  return await storeEncryptedSecrets(
    client,
    { policy_client: policyClient, policy_data_address: policyDataAddress, envelope },
    options,
  )
}

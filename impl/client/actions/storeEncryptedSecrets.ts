import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import type {
  StoreEncryptedSecretsParams,
  StoreEncryptedSecretsResult,
} from '../generated/rpcTypes.ts'
import { type Succeeded, succeeded } from '../rpc/succeeded.ts'

/**
 * Stores a sealed envelope with the secrets of one oracle of a policy client (section 4.5);
 * `storeSecrets` seals it, too. Needs RpcWrite, and a key of the client's owner.
 *
 * @throws SecretsInvalidError, OwnershipError and others by cause
 */
export async function storeEncryptedSecrets(
  client: BaseClient,
  params: StoreEncryptedSecretsParams,
  options?: CallOptions,
): Promise<Succeeded<StoreEncryptedSecretsResult>> {
  const result = await client.request('storeEncryptedSecrets', params, options)
  return succeeded(client, 'storeEncryptedSecrets', result)
}

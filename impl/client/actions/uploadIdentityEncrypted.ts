import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import type {
  UploadIdentityEncryptedParams,
  UploadIdentityEncryptedResult,
} from '../generated/rpcTypes.ts'

/**
 * Stores sealed identity data and returns the gateway's signature of its registration (section 4.10);
 * `uploadIdentity` seals, signs and checks, too. Needs RpcWrite.
 *
 * @throws OwnershipError for a signature that is not the owner's, and others by cause
 */
export const uploadIdentityEncrypted = (
  client: BaseClient,
  params: UploadIdentityEncryptedParams,
  options?: CallOptions,
): Promise<UploadIdentityEncryptedResult> =>
  client.request('uploadIdentityEncrypted', params, options)

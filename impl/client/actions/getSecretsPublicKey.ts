import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import type { GetSecretsPublicKeyResult } from '../generated/rpcTypes.ts'

/** Returns the public key for sealing oracle secrets (section 4.10). Needs RpcRead. */
export const getSecretsPublicKey = (
  client: BaseClient,
  options?: CallOptions,
): Promise<GetSecretsPublicKeyResult> => client.request('getSecretsPublicKey', {}, options)

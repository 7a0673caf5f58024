import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import type { GetPrivacyPublicKeyResult } from '../generated/rpcTypes.ts'

/** Returns the public key for sealing identity and confidential data (section 4.10). Needs RpcRead. */
export const getPrivacyPublicKey = (
  client: BaseClient,
  options?: CallOptions,
): Promise<GetPrivacyPublicKeyResult> => client.request('getPrivacyPublicKey', {}, options)

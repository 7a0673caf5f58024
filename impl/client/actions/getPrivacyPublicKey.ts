import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import type { GetPrivacyPublicKeyResult } from '../generated/rpcTypes.ts'
import { publicKeyOf } from '../rpc/publicKeyOf.ts'

/** Returns the public key for sealing identity and confidential data (section 4.10). Needs RpcRead. */
export const getPrivacyPublicKey = (
  client: BaseClient,
  _: Readonly<Record<string, never>> = {},
  options?: CallOptions,
): Promise<GetPrivacyPublicKeyResult> => publicKeyOf(client, 'getPrivacyPublicKey', options)

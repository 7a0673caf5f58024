import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import type { GetSecretsPublicKeyResult } from '../generated/rpcTypes.ts'
import { publicKeyOf } from '../rpc/publicKeyOf.ts'

/** Returns the public key for sealing oracle secrets (section 4.10). Needs RpcRead. */
export const getSecretsPublicKey = (
  client: BaseClient,
  _: Readonly<Record<string, never>> = {},
  options?: CallOptions,
): Promise<GetSecretsPublicKeyResult> => publicKeyOf(client, 'getSecretsPublicKey', options)

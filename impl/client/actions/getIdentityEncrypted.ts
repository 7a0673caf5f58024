import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import { NotFoundError } from '../errors/policyErrors.ts'
import type {
  GetIdentityEncryptedParams,
  GetIdentityEncryptedResult,
} from '../generated/rpcTypes.ts'

/**
 * Returns sealed identity data by its reference, the envelope exactly as uploaded (section 4.10). Needs
 * RpcRead.
 *
 * @throws NotFoundError for an unknown reference, in whatever form the gateway reports it
 */
export async function getIdentityEncrypted(
  client: BaseClient,
  params: GetIdentityEncryptedParams,
  options?: CallOptions,
): Promise<GetIdentityEncryptedResult> {
  const result: GetIdentityEncryptedResult | null = await client.request(
    'getIdentityEncrypted',
    params,
    options,
  )
  if (result?.envelope !== undefined) return result
  throw new NotFoundError('identity data', {
    metaMessages: [`Method: ${client.brand.methodPrefix}getIdentityEncrypted`],
  })
}

import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import { ResponseMalformedError } from '../errors/transportErrors.ts'
import type { RpcMethods } from '../generated/rpcTypes.ts'

type KeyMethod = 'getSecretsPublicKey' | 'getPrivacyPublicKey'

/** A public key of the gateway (section 4.10). @throws ResponseMalformedError for an answer without one */
export async function publicKeyOf<M extends KeyMethod>(
  client: BaseClient,
  method: M,
  options: CallOptions | undefined,
): Promise<RpcMethods[M]['result']> {
  const key: { readonly public_key?: unknown } | null = await client.request(method, {}, options)
  if (typeof key?.public_key === 'string') return key as RpcMethods[M]['result']
  throw new ResponseMalformedError('it has no public_key')
}

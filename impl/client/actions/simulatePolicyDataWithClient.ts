import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import type {
  SimulatePolicyDataWithClientParams,
  SimulatePolicyDataWithClientResult,
} from '../generated/rpcTypes.ts'
import { type Succeeded, succeeded } from '../rpc/succeeded.ts'

/**
 * Runs one oracle with the secrets that are stored for a policy client (section 4.7). Needs RpcRead,
 * and a key of the client's owner.
 *
 * @throws MissingSecretsError, OwnershipError, OracleFailedError and others by cause
 */
export async function simulatePolicyDataWithClient(
  client: BaseClient,
  params: SimulatePolicyDataWithClientParams,
  options?: CallOptions,
): Promise<Succeeded<SimulatePolicyDataWithClientResult, 'policy_data'>> {
  const result = await client.request('simulatePolicyDataWithClient', params, options)
  return succeeded<SimulatePolicyDataWithClientResult, 'policy_data'>(
    client,
    'simulatePolicyDataWithClient',
    result,
  )
}

import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import type { SimulatePolicyParams, SimulatePolicyResult } from '../generated/rpcTypes.ts'
import { type Succeeded, succeeded } from '../rpc/succeeded.ts'

/**
 * Evaluates a Rego policy and its oracles as a task would, without deploying it (section 4.8). Needs
 * RpcRead. JavaScript numbers are not exact beyond 2^53: use the intent instead of `parsed_intent.value`.
 *
 * @throws MissingSecretsError with the contracts, RegoFailedError, OracleFailedError, OwnershipError and
 * others by cause
 */
export async function simulatePolicy(
  client: BaseClient,
  params: SimulatePolicyParams,
  options?: CallOptions,
): Promise<Succeeded<SimulatePolicyResult, 'evaluation_result'>> {
  const result = await client.request('simulatePolicy', params, options)
  return succeeded<SimulatePolicyResult, 'evaluation_result'>(client, 'simulatePolicy', result)
}

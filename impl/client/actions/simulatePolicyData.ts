import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import type { SimulatePolicyDataParams, SimulatePolicyDataResult } from '../generated/rpcTypes.ts'
import { type Succeeded, succeeded } from '../rpc/succeeded.ts'

/**
 * Runs one oracle with secrets that the caller sends (section 4.6); `encodeSecrets` makes `secrets` of
 * an envelope. Needs RpcRead.
 *
 * @throws OracleFailedError, ContractError and others by cause
 */
export async function simulatePolicyData(
  client: BaseClient,
  params: SimulatePolicyDataParams,
  options?: CallOptions,
): Promise<Succeeded<SimulatePolicyDataResult, 'policy_data'>> {
  const result = await client.request('simulatePolicyData', params, options)
  return succeeded<SimulatePolicyDataResult, 'policy_data'>(client, 'simulatePolicyData', result)
}

import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import type { SimulateTaskParams, SimulateTaskResult } from '../generated/rpcTypes.ts'
import { type Succeeded, succeeded } from '../rpc/succeeded.ts'

/**
 * Evaluates the policy of a task on given data, or, with `policy_client` and `intent` alone, on data
 * collected now (section 4.4, decision T15). Nothing changes on chain. Needs RpcRead.
 *
 * @throws RegoFailedError, OracleFailedError, ContractError and others by cause; UnavailableError without
 * an operator
 */
export async function simulateTask(
  client: BaseClient,
  params: SimulateTaskParams,
  options?: CallOptions,
): Promise<Succeeded<SimulateTaskResult, 'result'>> {
  const result = await client.request('simulateTask', params, options)
  return succeeded<SimulateTaskResult, 'result'>(client, 'simulateTask', result)
}

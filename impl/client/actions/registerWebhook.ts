import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import type { RegisterWebhookParams, RegisterWebhookResult } from '../generated/rpcTypes.ts'
import { type Succeeded, succeeded } from '../rpc/succeeded.ts'

/**
 * Registers a URL that receives failures of the tasks of this key (section 4.9). Check what arrives
 * with `verifyWebhook`. Needs RpcRead.
 *
 * @throws InvalidParamsError, RequestRefusedError
 */
export async function registerWebhook(
  client: BaseClient,
  params: RegisterWebhookParams,
  options?: CallOptions,
): Promise<Succeeded<RegisterWebhookResult>> {
  const result = await client.request('registerWebhook', params, options)
  return succeeded(client, 'registerWebhook', result)
}

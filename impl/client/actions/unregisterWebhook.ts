import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import type { UnregisterWebhookResult } from '../generated/rpcTypes.ts'
import { type Succeeded, succeeded } from '../rpc/succeeded.ts'

/** Removes the webhook of this key (section 4.9). Needs RpcRead. @throws RequestRefusedError */
export async function unregisterWebhook(
  client: BaseClient,
  options?: CallOptions,
): Promise<Succeeded<UnregisterWebhookResult>> {
  const result = await client.request('unregisterWebhook', {}, options)
  return succeeded(client, 'unregisterWebhook', result)
}

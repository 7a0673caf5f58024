import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import type { UnregisterWebhookResult } from '../generated/rpcTypes.ts'
import { type Succeeded, succeeded } from '../rpc/succeeded.ts'

/**
 * Removes the webhook of this key (section 4.9). Needs RpcRead. It is not repeated after a lost
 * answer, because it is refused where there is no webhook any more.
 *
 * @throws RequestRefusedError if there is none
 */
export async function unregisterWebhook(
  client: BaseClient,
  _: Readonly<Record<string, never>> = {},
  options?: CallOptions,
): Promise<Succeeded<UnregisterWebhookResult>> {
  const result = await client.request('unregisterWebhook', {}, { ...options, once: true })
  return succeeded(client, 'unregisterWebhook', result)
}

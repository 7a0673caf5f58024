import type { Brand } from 'polgate-protocol/brand.ts'
import { closeCode, socketKeyParameter, socketPath } from 'polgate-protocol/socketAddress.ts'
import { clientMessages, serverMessages } from 'polgate-protocol/socketMessages.ts'

/**
 * The description of the WebSocket in `rpc.discover` (sections 4.11, 6.1, 6.2, decisions W1 to W5).
 */
export const socketDescription = (
  brand: Pick<Brand, 'topicPrefix'>,
  collect: (schema: unknown) => unknown,
): Record<string, unknown> => ({
  path: socketPath,
  topic: `${brand.topicPrefix}{task_id}`,
  authentication: ['Authorization: Bearer', `?${socketKeyParameter}=`],
  'x-permission': 'RpcRead',
  clientMessages: Object.values(clientMessages).map(collect),
  serverMessages: Object.values(serverMessages).map(collect),
  closeCodes: closeCode,
})

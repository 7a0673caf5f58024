import { startLocalStack } from 'polgate-local/localStack.ts'

/**
 * A local stack that accepts any number of WebSocket connections; by default 4,096, of which 512 of
 * one key. Prints its description, and ends on SIGTERM.
 */
const limits = { connections: 20_000, connectionsPerKey: 20_000 }
const stack = await startLocalStack({ config: (config) => ({ ...config, webSocket: limits }) })
process.once('SIGTERM', async () => {
  await stack.close()
  process.exit(0)
})
console.log(JSON.stringify(stack.description))

import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { Studio } from 'polgate-studio/server/serveStudio.ts'
import { serveOnFreePort } from './serveOnFreePort.ts'

/** Serves Studio for a local stack, on port 8602 or a free one. */
export function serveStudioOfStack(stack: StackDescription): Promise<Studio> {
  const { gatewayUrl, explorerUrl, controlUrl, adminUrl, chain, brand, apiKeys } = stack
  const { admin: _, ...keys } = apiKeys
  const target = {
    ...{ name: 'local stack', gatewayUrl, explorerUrl, controlUrl, adminUrl, brand, keys },
    ...{ rpcUrl: chain.rpcUrl, chainId: chain.chainId, defaultKey: 'rpc' },
    contracts: stack.contracts?.addresses ?? {},
  }
  return serveOnFreePort(target)
}

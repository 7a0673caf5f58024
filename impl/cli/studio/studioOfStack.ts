import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { type Studio, serveStudio } from 'polgate-studio/server/serveStudio.ts'
import { studioAssets } from 'polgate-studio/server/studioAssets.ts'
import { bootOnFreePorts } from '../freePorts.ts'

/** Serves Studio for a local stack, on port 8602 or a free one. */
export function serveStudioOfStack(stack: StackDescription, preferred = 8602): Promise<Studio> {
  const { gatewayUrl, explorerUrl, controlUrl, chain, brand, apiKeys } = stack
  const { admin: _, ...keys } = apiKeys
  const target = {
    ...{ name: 'local stack', gatewayUrl, explorerUrl, controlUrl, brand, keys },
    ...{ rpcUrl: chain.rpcUrl, chainId: chain.chainId, defaultKey: 'rpc' },
    contracts: stack.contracts?.addresses ?? {},
  }
  return bootOnFreePorts({ studio: preferred }, ({ studio = 0 }) =>
    serveStudio({ target, loadAssets: studioAssets, port: studio }),
  )
}

import { type ChainWatch, watchChain } from 'polgate-chain/chainWatch.ts'
import { createChainClient } from 'polgate-chain/client.ts'
import type { ServiceContext } from './serviceParts.ts'

/** Less than a task waits for its chain, so that the log tells of an outage before callers do. */
const requestMs = 5_000

/** What the service notices of its chain while nobody asks it. */
export type WatchedChain = Pick<ChainWatch, 'rely'> & {
  /** A line while the node does not answer; calls that read the chain fail meanwhile. */
  problems(): readonly string[]
  /** Has told whenever blocks leave the chain. */
  onWentBack(listener: () => void): void
}

/** Looks at the node of the service's chain, from now on. */
export function openChainWatch(context: ServiceContext): WatchedChain {
  const { config, parts, logger, onClose } = context
  const { rpcUrl, chainId } = config.chain
  const { fetch } = parts
  const listeners: (() => void)[] = []
  const watch = watchChain({
    client: createChainClient({ rpcUrl, timeout: requestMs, ...(fetch && { fetch }) }),
    chainId,
    node: new URL(rpcUrl).host,
    log: logger,
    onWentBack: () => {
      for (const listener of listeners) listener()
    },
  })
  onClose(() => watch.close())
  return {
    rely: watch.rely,
    problems: () => [watch.problem() ?? []].flat(),
    onWentBack: (listener) => void listeners.push(listener),
  }
}

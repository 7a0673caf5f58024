import {
  type ChainWatch,
  type ChainWatchOptions,
  type WentBack,
  watchChain,
} from 'polgate-chain/chainWatch.ts'
import { createChainClient } from 'polgate-chain/client.ts'
import { createGrantChain, type GrantChain } from './privateData/grantChain.ts'
import type { ServiceContext } from './serviceParts.ts'

/**
 * Shorter than the chain timeout of a task, so that an outage is logged before callers see errors.
 */
const requestMs = 5_000

/** Three polls that take as long as they may: after that the block that is known says nothing. */
const headLastsMs = 21_000

/** The state of the chain's node, polled in the background. */
export type WatchedChain = Pick<ChainWatch, 'rely'> & {
  /** One line while the node does not report its latest block; calls that read the chain fail meanwhile. */
  problem(): Promise<string | undefined>
  /** Undefined before the node has reported it. */
  latestBlock(): number | undefined
  /** Calls the listener when blocks disappear from the chain (reorg or revert). */
  onWentBack(listener: (change: WentBack) => void): void
}

/** Starts polling the node of the service's chain. */
export function openChainWatch(context: ServiceContext): WatchedChain {
  const { config, parts, clock, logger, onClose } = context
  const { rpcUrl, chainId } = config.chain
  const { fetch } = parts
  const listeners: ((change: WentBack) => void)[] = []
  const options: ChainWatchOptions = {
    client: createChainClient({ rpcUrl, timeout: requestMs, ...(fetch && { fetch }) }),
    chainId,
    node: new URL(rpcUrl).host,
    log: logger,
    clock,
    onWentBack: (change) => {
      for (const listener of listeners) listener(change)
    },
  }
  const watch = watchChain(parts.chainWatch?.(options) ?? options)
  onClose(() => watch.close())
  return {
    rely: watch.rely,
    async problem() {
      await watch.first
      const outage = watch.problem()
      const { at = Number.NEGATIVE_INFINITY } = watch.seen() ?? {}
      const isKnown = performance.now() - at < headLastsMs
      return outage ?? (isKnown ? undefined : `the latest block of chain ${chainId} is not known`)
    },
    latestBlock: () => watch.seen()?.number,
    onWentBack: (listener) => void listeners.push(listener),
  }
}

/** How many blocks before the latest a task may be whose private data is opened. */
const maxBlocksBehind = 300

/** What the operators of this process are told by the gateway's node about private data. */
export function grantChainOf({ config, parts }: ServiceContext): GrantChain {
  const { fetch, nodeCall: around } = parts
  const { rpcUrl } = config.chain
  const client = createChainClient({ rpcUrl, timeout: requestMs, around, ...(fetch && { fetch }) })
  const chain = createGrantChain({
    ...{ client, maxBlocksBehind },
    chainId: config.chain.chainId,
    taskManager: config.chain.taskManager,
    identityRegistry: config.chain.identityRegistry,
    confidentialDataRegistry: config.chain.confidentialDataRegistry,
  })
  return parts.grantChain?.(chain) ?? chain
}

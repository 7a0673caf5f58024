import { randomUUID } from 'node:crypto'
import { createChainClient } from 'polgate-chain/client.ts'
import { type Network, networkNames } from 'polgate-protocol/explorer.ts'
import type { Registry } from 'prom-client'
import type { ExplorerNetwork } from './configSections.ts'
import { createContentStore } from './content/contentStore.ts'
import { httpGateways } from './content/gateways.ts'
import {
  createIndexer,
  type Indexer,
  type IndexerDeps,
  type IndexerStatus,
} from './explorer/indexer/indexer.ts'
import { createPolicyDescriber, maxSourceBytes } from './explorer/policyDescriber.ts'
import { createExplorerApp, type ExplorerDeps } from './explorer/rest/explorerApp.ts'
import { createExplorerMetrics } from './explorer/rest/explorerMetrics.ts'
import { defaultExplorerRateLimit, type ExplorerLimiter } from './explorer/rest/ports.ts'
import { serve } from './gateway/serve.ts'
import type { ServiceConfig } from './serviceConfig.ts'
import type { ServiceContext } from './serviceParts.ts'

/** What this process does to keep the public memory of the service (section 4.12). */
export type Indexing = {
  /** A task has ended, or has been posted: there may be something new. */
  wake(): void
  /** Of the indexers of this process. */
  statuses(): readonly IndexerStatus[]
  /** A line for each chain that cannot be followed at the moment. */
  problems(): readonly string[]
}

/** What an indexer is made from: a service, or a process of its own. */
export type IndexingContext = Omit<ServiceContext, 'config'> & {
  readonly config: Pick<ServiceConfig, 'explorer' | 'content'>
}

/** Told of a policy that has appeared on a chain, and of its PolicyData contracts. */
export type OnPolicy = (chainId: number, policyData: readonly string[]) => void

/** Follows the chains of the configuration, from now on; none where it says so. */
export function openIndexing(context: IndexingContext, onPolicy: OnPolicy = () => {}): Indexing {
  const indexers = context.config.explorer?.indexer ? openIndexers(context, onPolicy) : []
  return {
    wake: () => {
      for (const indexer of indexers) indexer.wake()
    },
    statuses: () => indexers.map((indexer) => indexer.status()),
    problems: () =>
      indexers.flatMap((indexer) => {
        const { chainId, problem } = indexer.status()
        return problem === undefined ? [] : [`chain ${chainId} is not followed: ${problem}`]
      }),
  }
}

type Networks = readonly (readonly [Network, ExplorerNetwork])[]

const networksOf = ({ config }: Pick<IndexingContext, 'config'>): Networks =>
  networkNames.flatMap((name) => {
    const network = config.explorer?.networks[name]
    return network === undefined ? [] : [[name, network] as const]
  })

/** One for each chain, however many names it has. Of several processes one writes a chain. */
function openIndexers(context: IndexingContext, onPolicy: OnPolicy): readonly Indexer[] {
  const { config, parts, brand, clock, logger, store, onClose } = context
  const { fetch } = parts
  const describer = createPolicyDescriber({
    content: createContentStore({
      directory: config.content.directory,
      gateways: httpGateways({ ...config.content, urls: config.content.gateways, fetch }),
      // Anybody may deploy a policy, and name what he likes.
      maxBytes: maxSourceBytes,
    }),
    regoNamespace: brand.regoNamespace,
  })
  onClose(() => describer.close())
  // An embedded database has one process: it need not wait for a lease that a crash has left.
  const holder =
    store.database.engine === 'embedded' ? 'this process' : (parts.uuid ?? randomUUID)()
  const chains = new Map(networksOf(context).map(([, network]) => [network.chainId, network]))
  return [...chains.values()].map(({ rpcUrl, ...network }) => {
    const deps: IndexerDeps = {
      index: store.explorer,
      leases: store.leases,
      client: createChainClient({ rpcUrl, ...(fetch && { fetch }) }),
      network,
      holder,
      describer: {
        ...describer,
        describe(info, signal) {
          onPolicy(network.chainId, Array.isArray(info.policy_data) ? info.policy_data : [])
          return describer.describe(info, signal)
        },
      },
      clock,
      log: logger,
    }
    const indexer = createIndexer(parts.indexer?.(deps) ?? deps)
    onClose(() => indexer.close())
    indexer.start()
    return indexer
  })
}

/** The explorer's API; undefined where the configuration has none. */
export async function openExplorer(
  context: ServiceContext,
  limiter: ExplorerLimiter,
  registry: Registry,
): Promise<{ readonly url: string } | undefined> {
  const { config, parts, brand, version, clock, logger, store, onClose } = context
  const { listen, rateLimit = defaultExplorerRateLimit } = config.explorer ?? {}
  if (listen === undefined) return undefined
  const metrics = createExplorerMetrics(registry)
  const deps: ExplorerDeps = {
    brand,
    version,
    apiKeys: store.apiKeys,
    queries: store.explorer,
    networks: Object.fromEntries(networksOf(context).map(([name, { chainId }]) => [name, chainId])),
    rateLimit,
    limiter,
    clock,
    logger,
    metrics,
    corsOrigins: config.corsOrigins,
  }
  const { fetch } = createExplorerApp(parts.explorer?.(deps) ?? deps)
  const listener = await serve({
    fetch: parts.explorerDoor?.(fetch) ?? fetch,
    hostname: listen.host,
    port: listen.port,
  })
  onClose(() => listener.close())
  return { url: listener.url }
}

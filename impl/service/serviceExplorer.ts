import { randomUUID } from 'node:crypto'
import { createChainClient } from 'polgate-chain/client.ts'
import type { Transfers } from 'polgate-lib/http/transfers.ts'
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
import type { ServiceConfig } from './serviceConfig.ts'
import { type ServiceContext, startListener } from './serviceParts.ts'

/** The indexing of this process (section 4.12). */
export type Indexing = {
  /** Poll now: a task has ended or was posted. */
  wake(): void
  /** Status of the indexers of this process. */
  statuses(): readonly IndexerStatus[]
  /** One line for each chain that cannot be indexed at the moment. */
  problems(): readonly string[]
}

/** What indexing needs, in a service or in a standalone indexer. */
export type IndexingContext = Omit<ServiceContext, 'config'> & {
  readonly config: Pick<ServiceConfig, 'explorer' | 'content'>
}

/** Called for a new policy on a chain, with its PolicyData contracts. */
export type OnPolicy = (chainId: number, policyData: readonly string[]) => void

/** Starts indexing the configured chains, unless it is disabled. */
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
        return problem === undefined ? [] : [`chain ${chainId} is not indexed: ${problem}`]
      }),
  }
}

type Networks = readonly (readonly [Network, ExplorerNetwork])[]

const networksOf = ({ config }: Pick<IndexingContext, 'config'>): Networks =>
  networkNames.flatMap((name) => {
    const network = config.explorer?.networks[name]
    return network === undefined ? [] : [[name, network] as const]
  })

/** One per chain, even if it has several names. Of several processes, one writes a chain. */
function openIndexers(context: IndexingContext, onPolicy: OnPolicy): readonly Indexer[] {
  const { config, parts, brand, clock, logger, store, onClose } = context
  const { fetch } = parts
  const describer = createPolicyDescriber({
    content: createContentStore({
      directory: config.content.directory,
      gateways: httpGateways({ ...config.content, urls: config.content.gateways, fetch }),
      // Anyone may deploy a policy, with any content id.
      maxBytes: maxSourceBytes,
    }),
    regoNamespace: brand.regoNamespace,
  })
  onClose(() => describer.close())
  // An embedded database has a single process: it need not wait for the lease of a crashed one.
  const holder =
    store.database.engine === 'embedded' ? 'this process' : (parts.uuid ?? randomUUID)()
  const chains = new Map(networksOf(context).map(([, network]) => [network.chainId, network]))
  return [...chains.values()].map(({ rpcUrl, ...network }) => {
    const deps: IndexerDeps = {
      index: store.explorer,
      leases: store.leases,
      client: createChainClient({ rpcUrl, around: parts.nodeCall, ...(fetch && { fetch }) }),
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

/** The REST API of the explorer; undefined without `explorer.listen` in the configuration. */
export async function openExplorer(
  context: ServiceContext,
  { limiter, transfers }: { readonly limiter: ExplorerLimiter; readonly transfers: Transfers },
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
    transfers,
    clock,
    logger,
    metrics,
    corsOrigins: config.corsOrigins,
  }
  const { fetch } = createExplorerApp(parts.explorer?.(deps) ?? deps)
  const listener = await startListener(parts, 'explorer', {
    fetch: parts.wrapExplorerFetch?.(fetch) ?? fetch,
    hostname: listen.host,
    port: listen.port,
    connectionShare: 1 / 8,
  })
  onClose(() => listener.close())
  return { url: listener.url }
}

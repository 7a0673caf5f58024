import { randomUUID } from 'node:crypto'
import { handlesExhausted } from 'polgate-lib/http/connectionLimit.ts'
import { createTransfers, defaultTransferLimits } from 'polgate-lib/http/transfers.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { Registry } from 'prom-client'
import { contentHealth } from './content/contentHealth.ts'
import { createAdmin } from './gateway/admin.ts'
import { createGateway, defaultLimits, type GatewayDeps } from './gateway/gateway.ts'
import { createMetrics } from './gateway/metrics.ts'
import { createRateLimiter } from './gateway/rateLimit.ts'
import { createReadiness } from './gateway/readiness.ts'
import { defaultUpdateLimits } from './gateway/updates/limits.ts'
import type { PeerUpdates } from './gateway/updates/peerUpdates.ts'
import { storedTasks } from './gateway/updates/taskSource.ts'
import { createUpdateServer, type UpdateServerDeps } from './gateway/updates/updateServer.ts'
import { operatorQuorum } from './operatorQuorum.ts'
import type { OperatorParts } from './operators/operatorParts.ts'
import type { SwitchableOperator } from './operators/switchableOperator.ts'
import type { SealedDataService } from './sealedData/sealedDataService.ts'
import type { WatchedChain } from './serviceChain.ts'
import { type Indexing, openExplorer } from './serviceExplorer.ts'
import { registerServiceMetrics } from './serviceMetrics.ts'
import { type ServiceContext, startListener } from './serviceParts.ts'
import { registerDatabaseMetrics } from './store/databaseMetrics.ts'
import { probeCommit } from './store/probeCommit.ts'
import { rateLimitCounters } from './store/rateLimitCounters.ts'
import { postingHealth } from './tasks/postingHealth.ts'
import type { TaskChain } from './tasks/taskChain.ts'
import type { TaskService } from './tasks/taskService.ts'
import type { TaskUpdates } from './tasks/taskUpdates.ts'
import type { Webhooks } from './webhooks/webhooks.ts'

/** The components that the listeners need. */
export type ServiceComponents = {
  readonly tasks: TaskService
  readonly updates: TaskUpdates
  readonly elsewhere: PeerUpdates | undefined
  readonly webhooks: Webhooks
  readonly sealedData: SealedDataService
  readonly indexing: Indexing
  readonly chain: Pick<WatchedChain, 'problem' | 'latestBlock'>
  readonly taskChain: TaskChain
  readonly operators: readonly SwitchableOperator[]
  readonly loadedOracles: OperatorParts['loadedOracles']
  /** One line for each unavailable operator. */
  readonly operatorProblems: () => readonly string[]
  /** Ids of the operators that are not known to be unavailable. */
  readonly answeringOperators: () => readonly Bytes32[]
  readonly encryptionKeys: GatewayDeps['encryptionKeys']
}

const loopback = /^(127\.|localhost$|::1$)/

/** Base URLs, without a path. */
export type ListenerUrls = {
  readonly gatewayUrl: string
  readonly explorerUrl: string | undefined
  readonly adminUrl: string | undefined
}

/**
 * Starts the listeners: JSON-RPC over HTTP with updates over WebSocket, the explorer, and health
 * and metrics on a separate port.
 */
export async function startListeners(
  context: ServiceContext,
  serviceComponents: ServiceComponents,
): Promise<ListenerUrls> {
  const { config, parts, brand, version, clock, logger, store, onClose } = context
  const registry = new Registry()
  const metrics = createMetrics(registry)
  parts.metrics?.(registry)
  const limiter = createRateLimiter({
    counters: store.database.engine === 'server' ? rateLimitCounters(store.database) : undefined,
    onStoreError: (err) => logger.warn({ err }, 'rate limits fall back to counters in memory'),
  })
  onClose(() => limiter.close())
  const transfers = createTransfers({ ...defaultTransferLimits, ...config.transfers })
  const gatewayDeps: GatewayDeps = {
    brand,
    version,
    apiKeys: store.apiKeys,
    tasks: parts.tasks?.(serviceComponents.tasks) ?? serviceComponents.tasks,
    webhooks: serviceComponents.webhooks.registry,
    sealedData: parts.sealedData?.(serviceComponents.sealedData) ?? serviceComponents.sealedData,
    encryptionKeys: serviceComponents.encryptionKeys,
    limits: defaultLimits,
    rateLimits: config.rateLimits,
    limiter,
    transfers,
    logger,
    metrics,
    corsOrigins: config.corsOrigins,
  }
  const app = createGateway(parts.gateway?.(gatewayDeps) ?? gatewayDeps)
  const { host: hostname, port } = config.gateway
  const fetch = parts.wrapGatewayFetch?.(app.fetch) ?? app.fetch
  const { bodyBytes } = gatewayDeps.limits
  const listener = await startListener(parts, 'gateway', {
    ...{ fetch, hostname, port, bodyBytes },
    connectionShare: 1 / 2,
  })
  onClose(() => listener.close())
  const updateServerDeps: UpdateServerDeps = {
    brand,
    apiKeys: store.apiKeys,
    updates: serviceComponents.updates,
    elsewhere: serviceComponents.elsewhere,
    tasks: storedTasks(store),
    limits: { ...defaultUpdateLimits, ...config.webSocket },
    corsOrigins: config.corsOrigins,
    clock,
    uuid: parts.uuid ?? randomUUID,
    logger,
  }
  const updateServer = createUpdateServer(
    parts.updateServer?.(updateServerDeps) ?? updateServerDeps,
  )
  updateServer.attach(listener.server)
  const explorer = await openExplorer(context, { limiter, transfers }, registry)
  // Ends tasks as failed while callers and subscribers can still receive the result.
  onClose(async () => {
    const ended = serviceComponents.tasks.close()
    const told = ended.then(() => updateServer.close())
    await Promise.all([listener.close(ended), told])
  })
  return { gatewayUrl: listener.url, explorerUrl: explorer?.url, adminUrl: await openAdmin() }

  async function openAdmin(): Promise<string | undefined> {
    if (config.admin === undefined) return undefined
    const contents = () => contentHealth(config.content.directory)
    const readiness = createReadiness({
      checks: {
        async store() {
          await probeCommit(store.database)
          return undefined
        },
        chain: () => serviceComponents.chain.problem(),
        operators: operatorQuorum({
          chain: serviceComponents.taskChain,
          latestBlock: () => serviceComponents.chain.latestBlock(),
          answering: serviceComponents.answeringOperators,
        }),
        contents: async () => (await contents()).unreadable,
        connections: async () => (await listener.refuses()) ?? (await handlesExhausted()),
      },
      async problems() {
        const others = [
          (await contents()).unwritable ?? [],
          ...serviceComponents.operatorProblems(),
          ...serviceComponents.indexing.problems(),
        ]
        return [...(await posting()).problems, ...others.flat()]
      },
    })
    const posting = async () =>
      postingHealth(await store.postings.state(config.chain.chainId), clock)
    registerDatabaseMetrics(registry, store.database)
    registerServiceMetrics(registry, {
      chainId: config.chain.chainId,
      indexers: () => serviceComponents.indexing.statuses(),
      posting,
      readiness,
      operators: () => ({
        configured: serviceComponents.operators.length,
        answering: serviceComponents.answeringOperators().length,
      }),
      loadedOracles: serviceComponents.loadedOracles,
    })
    const admin = createAdmin({ registry, readiness })
    const { host, port } = config.admin
    const adminListener = await startListener(parts, 'admin', {
      fetch: admin.fetch,
      hostname: host,
      port,
      // On other interfaces it is reached by host name, for instance in a cluster.
      localOnly: loopback.test(host),
    })
    onClose(() => adminListener.close())
    return adminListener.url
  }
}

import { randomBytes, randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { type Logger, pino } from 'pino'
import { privateKeyToAccount } from 'viem/accounts'
import { createChainClient } from '../chain/client.ts'
import { createTransactor } from '../chain/transactor.ts'
import { loadEncryptionKey } from './envelopes/encryptionKey.ts'
import { createAdmin } from './gateway/admin.ts'
import { createGateway, defaultLimits, type GatewayDeps } from './gateway/gateway.ts'
import { createMetrics } from './gateway/metrics.ts'
import { createRateLimiter, defaultRateLimits } from './gateway/rateLimit.ts'
import { serve } from './gateway/serve.ts'
import { defaultUpdateLimits } from './gateway/updates/limits.ts'
import { storedTasks } from './gateway/updates/taskSource.ts'
import { createUpdateServer, type UpdateServerDeps } from './gateway/updates/updateServer.ts'
import type { Operator } from './operators/operator.ts'
import { operatorConnection } from './operators/operatorConnection.ts'
import { openOperatorParts } from './operators/operatorParts.ts'
import { remoteOperator } from './operators/remoteOperator.ts'
import { type SwitchableOperator, switchableOperator } from './operators/switchableOperator.ts'
import { openPrivacyKey, type PrivacyKey } from './privacyKey.ts'
import { type Brand, defaultBrand } from './protocol/brand.ts'
import { type Clock, systemClock } from './protocol/clock.ts'
import type { Hex } from './protocol/scalars.ts'
import { sealedDataChain } from './sealedData/sealedDataChain.ts'
import { createSealedData, type SealedDataService } from './sealedData/sealedDataService.ts'
import { parseServiceConfig, type ServiceConfig, type ServiceConfigInput } from './serviceConfig.ts'
import { openStore, type Store } from './store/openStore.ts'
import { rateLimitCounters } from './store/rateLimitCounters.ts'
import { noStopwatch, type Stopwatch } from './tasks/stopwatch.ts'
import { type TaskChain, taskChain } from './tasks/taskChain.ts'
import type { TaskDeps } from './tasks/taskDeps.ts'
import { createTaskService, type TaskService } from './tasks/taskService.ts'
import { createTaskUpdates } from './tasks/taskUpdates.ts'
import { minimumVersions } from './tasks/versions.ts'
import { createWebhooks, type WebhooksOptions } from './webhooks/webhooks.ts'

/** What a test, a benchmark or a mutant may put in another's place. */
export type ServiceParts = {
  readonly clock?: Clock
  readonly fetch?: typeof globalThis.fetch
  readonly uuid?: () => string
  /** Bytes that keys are made of. */
  readonly random?: (size: number) => Uint8Array
  readonly logger?: Logger
  readonly stopwatch?: Stopwatch
  /** An open store; the service closes it. */
  readonly store?: Store
  readonly chain?: (chain: TaskChain) => TaskChain
  readonly operator?: (operator: Operator) => Operator
  readonly taskDeps?: (deps: TaskDeps) => TaskDeps
  readonly tasks?: (tasks: TaskService) => TaskService
  readonly sealedData?: (sealedData: SealedDataService) => SealedDataService
  readonly webhooks?: (options: WebhooksOptions) => WebhooksOptions
  readonly gateway?: (deps: GatewayDeps) => GatewayDeps
  readonly updateServer?: (deps: UpdateServerDeps) => UpdateServerDeps
}

export type Service = {
  /** Without a path; the endpoint is `{gatewayUrl}/rpc`. */
  readonly gatewayUrl: string
  readonly adminUrl: string | undefined
  /** Its names on the wire. */
  readonly brand: Brand
  /** In the order of the configuration; each can be stopped and started. */
  readonly operators: readonly SwitchableOperator[]
  readonly store: Store
  /** In threshold mode the privacy key throws BackendUnavailable until the operators share one. */
  readonly encryptionKeys: { readonly secretsPublicKey: string; readonly privacyPublicKey: string }
  /** In threshold mode: those who share the privacy key. */
  readonly privacyKey: PrivacyKey | undefined
  /** Ends everything that the service started; tasks under way end as failed. May be called again. */
  close(): Promise<void>
}

/**
 * Starts the service: the one place that knows which parts there are.
 *
 * @throws ServiceError for a configuration that is none, StoreError for a store that cannot be used
 */
export async function createService(
  input: ServiceConfigInput,
  parts: ServiceParts = {},
): Promise<Service> {
  const config = parseServiceConfig(input)
  const logger = parts.logger ?? pino({ level: config.logLevel }, pino.destination(2))
  const closers: (() => Promise<void>)[] = []
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) {
      await close().catch((err) => logger.error({ err }, 'close failed'))
    }
  }
  try {
    return await start(config, parts, logger, closers, closeAll)
  } catch (error) {
    await closeAll()
    throw error
  }
}

async function start(
  config: ServiceConfig,
  parts: ServiceParts,
  logger: Logger,
  closers: (() => Promise<void>)[],
  closeAll: () => Promise<void>,
): Promise<Service> {
  const clock = parts.clock ?? systemClock
  const brand: Brand = { ...defaultBrand, ...config.brand }
  const opening = parts.store ?? openStore({ ...config.store, clock })
  const [store, secretsKey, privacyKey] = await Promise.all([
    opening,
    loadEncryptionKey(config.keys.secrets),
    loadEncryptionKey(config.keys.privacy),
  ])
  closers.push(() => store.close())

  const operatorParts = await openOperatorParts({ config, clock, brand, fetch: parts.fetch })
  closers.push(() => operatorParts.close())
  const connections = config.operators.map((entry) =>
    entry.kind === 'remote' ? operatorConnection({ ...entry, clock }) : undefined,
  )
  closers.push(async () => {
    await Promise.all(connections.map((connection) => connection?.close()))
  })
  for (const [at, connection] of connections.entries()) {
    const { address } = config.operators[at]!
    // Not waited for: the rest of the service starts without an operator, and finds it later.
    connection?.check().catch((err) => logger.warn({ err, operator: address }, 'operator not used'))
  }
  const operators = config.operators.map((entry, at) => {
    const connection = connections[at]
    const operator =
      entry.kind === 'remote'
        ? remoteOperator({ ...entry, connection: connection!, timeouts: config.operatorTimeouts })
        : operatorParts.operator({
            address: entry.address,
            blsKey: entry.blsKey,
            secretsKey,
            chainId: config.chain.chainId,
          })
    return switchableOperator(parts.operator?.(operator) ?? operator)
  })
  const sharedKey =
    config.threshold === undefined
      ? undefined
      : await openPrivacyKey({
          config,
          operators,
          connections,
          random: parts.random ?? randomBytes,
          log: logger,
        })
  closers.push(async () => sharedKey?.close())

  const account = privateKeyToAccount(prefixed(config.keys.gateway))
  const chain = chainOf(config, parts, account)
  const updates = createTaskUpdates((err) => logger.error({ err }, 'a listener to tasks failed'))
  // Closed after the tasks, so that what ends with them has a chance to be told.
  const webhookOptions: WebhooksOptions = {
    store,
    brand,
    gatewayKey: config.keys.gateway,
    userAgent: `policy-service/${version}`,
    allowLoopback: config.webhooks.allowLoopback,
    clock,
    log: logger,
  }
  const webhooks = createWebhooks(parts.webhooks?.(webhookOptions) ?? webhookOptions)
  closers.push(() => webhooks.close())
  updates.subscribeAll(({ kind }) => {
    if (kind === 'notification') webhooks.wake()
  })
  const deps: TaskDeps = {
    store,
    secrets: store.secrets,
    chain: parts.chain?.(chain) ?? chain,
    operators,
    attester: account,
    minimumVersions,
    graceMs: config.operatorGraceMs,
    postOnChain: config.chain.postResults,
    clock,
    uuid: parts.uuid ?? randomUUID,
    stopwatch: parts.stopwatch ?? noStopwatch,
    updates,
    brand,
    log: logger,
  }
  const ownTasks = await createTaskService(parts.taskDeps?.(deps) ?? deps)
  closers.push(() => ownTasks.close())

  const sealedData = createSealedData({
    store: store.sealedData,
    chain: sealedDataChain({ ...config.chain, client: readerOf(config, parts) }),
    signer: account,
    clock,
  })

  const metrics = createMetrics()
  const encryptionKeys = {
    secretsPublicKey: secretsKey.publicKey,
    get privacyPublicKey() {
      return (sharedKey ?? privacyKey).publicKey
    },
  }
  const limiter = createRateLimiter({
    counters: store.database.engine === 'server' ? rateLimitCounters(store.database) : undefined,
    onTrouble: (err) => logger.warn({ err }, 'rate limits are counted in this process'),
  })
  closers.push(async () => limiter.close())
  const gatewayDeps: GatewayDeps = {
    brand,
    version,
    apiKeys: store.apiKeys,
    tasks: parts.tasks?.(ownTasks) ?? ownTasks,
    webhooks: webhooks.registry,
    sealedData: parts.sealedData?.(sealedData) ?? sealedData,
    encryptionKeys,
    limits: defaultLimits,
    rateLimits: config.rateLimits ?? defaultRateLimits,
    limiter,
    clock,
    logger,
    metrics,
    corsOrigins: config.corsOrigins,
  }
  const app = createGateway(parts.gateway?.(gatewayDeps) ?? gatewayDeps)
  const listener = await serve({
    fetch: app.fetch,
    hostname: config.gateway.host,
    port: config.gateway.port,
  })
  closers.push(() => listener.close())
  const updateServerDeps: UpdateServerDeps = {
    brand,
    apiKeys: store.apiKeys,
    updates,
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
  // Tasks end as failed while those who wait for an answer or listen can still be told.
  closers.push(async () => {
    const ended = ownTasks.close()
    const told = ended.then(() => updateServer.close())
    await Promise.all([listener.close(ended), told])
  })
  let adminUrl: string | undefined
  if (config.admin !== undefined) {
    const ready = async () => (await store.database.query('select 1 as one')).length === 1
    const admin = createAdmin({ metrics, ready })
    const { host: hostname, port } = config.admin
    const adminListener = await serve({ fetch: admin.fetch, hostname, port })
    closers.push(() => adminListener.close())
    adminUrl = adminListener.url
  }
  return {
    gatewayUrl: listener.url,
    adminUrl,
    brand,
    operators,
    store,
    encryptionKeys,
    privacyKey: sharedKey,
    close: closeAll,
  }
}

const { version } = createRequire(import.meta.url)('../package.json') as { version: string }

const readerOf = ({ chain: { rpcUrl } }: ServiceConfig, { fetch }: ServiceParts) =>
  createChainClient({ rpcUrl, ...(fetch && { fetch }) })

function chainOf(
  config: ServiceConfig,
  parts: ServiceParts,
  account: ReturnType<typeof privateKeyToAccount>,
): TaskChain {
  const { rpcUrl, chainId, taskManager, operatorRegistry } = config.chain
  let transactor: ReturnType<typeof createTransactor> | undefined
  return taskChain({
    client: readerOf(config, parts),
    chainId,
    taskManager,
    operatorRegistry,
    // On first use, and again after a failure: the service starts without its chain.
    transactor: () => {
      transactor ??= createTransactor({ rpcUrl, account })
      transactor.catch(() => {
        transactor = undefined
      })
      return transactor
    },
  })
}

const prefixed = (hex: string): Hex => (hex.startsWith('0x') ? hex : `0x${hex}`) as Hex

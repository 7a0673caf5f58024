import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { RunningAnvil } from 'polgate-chain/anvil.ts'
import type { FixtureHost } from 'polgate-fixtures/host/fixtureHost.ts'
import { type CleanupStack, startWithCleanup } from 'polgate-lib/async/cleanupStack.ts'
import { chainRpc } from 'polgate-lib/http/chainRpc.ts'
import type { Brand } from 'polgate-protocol/brand.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { GatewayDeps } from 'polgate-service/gateway/gateway.ts'
import { createService, type Service } from 'polgate-service/service.ts'
import type { ServiceConfigInput } from 'polgate-service/serviceConfig.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import { openStore, type Store } from 'polgate-service/store/openStore.ts'
import { adjustableLimits } from './adjustableLimits.ts'
import { contentDirectory, transpiledDirectory } from './chainImage.ts'
import type { ConformanceControl } from './conformanceRoutes.ts'
import { serveControl } from './control.ts'
import { describeStack } from './describeStack.ts'
import { devAccounts, devEncryptionKeys, devOperators } from './devKeys.ts'
import { createLatestTasks } from './latestTasks.ts'
import { findImage } from './localChain.ts'
import { explorerNetworks, explorerParts } from './localExplorer.ts'
import { startLocalFixtures } from './localFixtures.ts'
import type { MockControl } from './mockRoutes.ts'
import { namedAddresses } from './namedAddresses.ts'
import { forgetting, observedOperators } from './observedOperators.ts'
import { startOperators, switchOf, withOperators } from './operatorProcesses.ts'
import type { OperatorSwitch } from './operatorSwitch.ts'
import { localPolicies } from './policies/localPolicies.ts'
import { registeredOperators } from './registeredOperators.ts'
import { rewriteUrls } from './rewriteUrls.ts'
import { seedStore } from './seedStore.ts'
import { createTaskRecords } from './taskRecords.ts'
import { stackTraces } from './taskTrace/stackTraces.ts'
import { thresholdConfig } from './thresholdStack.ts'
import { currentOperator } from './timeTravel/currentOperator.ts'
import { startTravellingService, type TravellingService } from './timeTravel/timeTravel.ts'
import type { WatchTimes } from './watchLocalChain.ts'
import { openWebhookTools } from './webhooks/openWebhookTools.ts'
import { createWebhookRecords } from './webhooks/webhookRecords.ts'

export type LocalStackPorts = {
  readonly gateway?: number
  readonly chain?: number
  readonly control?: number
  readonly fixtureHost?: number
  readonly admin?: number
  readonly explorer?: number
  readonly secondChain?: number
}

export type LocalStackOptions = {
  /** Persists chain and store in this directory; without it everything is temporary. */
  readonly dataDir?: string | undefined
  /** Default: free ports. */
  readonly ports?: LocalStackPorts | undefined
  /** Runs each operator as a separate process instead of in this one. */
  readonly operatorProcesses?: boolean | undefined
  /** Threshold mode: how many of the four operators are needed to decrypt with the privacy key. */
  readonly threshold?: number | undefined
  /** Adds a second chain, which the explorer shows as `base-sepolia` (decision X7). */
  readonly secondNetwork?: boolean | undefined
  /** Runs the store in a separate thread. Default: on machines with several cores. */
  readonly storeThread?: boolean | undefined
  /** Opens the store, which the stack closes. Default: in `dataDir`, or else in memory. */
  readonly openStore?: (() => Promise<Store>) | undefined
  /** Default: the neutral brand. */
  readonly brand?: Brand | undefined
  /** Default `silent`. */
  readonly logLevel?: string | undefined
  /** Traces of the gateway and of operators in processes; default: none. */
  readonly telemetry?: ServiceConfigInput['telemetry']
  /** Called when a step begins that may take long. */
  readonly progress?: ((step: string) => void) | undefined
  /** Ends a start at its next step, and closes what has started. */
  readonly signal?: AbortSignal | undefined
  /**
   * Receives a line when state of a persistent chain was lost or cannot be written, and when a
   * chain becomes unresponsive or responds again. Default: stderr.
   */
  readonly warn?: ((line: string) => void) | undefined
  /** How Anvil is watched for `warn`; default: see `watchLocalChain`. */
  readonly watch?: WatchTimes | undefined
  /**
   * Lets the control listener move the stack in time, which restarts the service, and show what
   * operators did for a task.
   */
  readonly timeTravel?: boolean | undefined
  /** Records the paths of the latest tasks for the control listener. */
  readonly taskTraces?: boolean | undefined
  /** Of the first chain; default: that of Anvil, 31337, and on a fork that of the forked chain. */
  readonly chainId?: number | undefined
  /** The node of a chain to fork; without `dataDir` and `secondNetwork`. */
  readonly forkUrl?: string | undefined
  /** Seconds between blocks, once the stack is ready. Default: a block per transaction, immediately. */
  readonly blockTime?: number | undefined
  /** `host:port` of services that oracles may ask although the guard refuses their addresses. */
  readonly allowedOracleHosts?: readonly string[] | undefined
  /** Lets the control listener replace what hosts answer to the oracles. */
  readonly mocks?: MockControl | undefined
  /** The listener that injects faults into this stack, where there is one. */
  readonly chaosUrl?: string | undefined
  /** Runs of the suite against the stack, for the control listener. */
  readonly conformance?: ConformanceControl | undefined
  /** Parts that replace those of the service. */
  readonly parts?: ServiceParts | undefined
  /** Changes the configuration of the service before it starts. */
  readonly config?: ((config: ServiceConfigInput) => ServiceConfigInput) | undefined
}

export type LocalStack = {
  readonly description: StackDescription
  readonly service: Service
  readonly fixtureHost: FixtureHost
  readonly chain: RunningAnvil
  readonly secondChain: RunningAnvil | undefined
  /** The configuration of the service, to start another one on the same chain. */
  readonly config: ServiceConfigInput
  readonly operators: readonly OperatorSwitch[]
  /** The sample token held by the vault. */
  readonly token: Address
  /** Duration of each step, milliseconds. */
  readonly timings: Readonly<Record<string, number>>
  /** Mines empty blocks. */
  mine(blocks: number): Promise<void>
  /** Stops all processes and listeners. Idempotent. */
  close(): Promise<void>
}

/** Boots chain, contracts, fixtures, operators and gateway on this machine. */
export const startLocalStack = (options: LocalStackOptions = {}): Promise<LocalStack> =>
  startWithCleanup((cleanup) => boot(options, cleanup))

async function boot(options: LocalStackOptions, cleanup: CleanupStack): Promise<LocalStack> {
  const { dataDir, ports = {}, progress = () => {} } = options
  const begin = performance.now()
  const timings: Record<string, number> = {}
  const step = async <T>(name: string, work: Promise<T>): Promise<T> => {
    const result = await work
    timings[name] = Math.round(performance.now() - begin)
    return result
  }

  // Before the store: opening it takes seconds, and could write to a directory with a damaged chain.
  const image = await findImage(dataDir, options.brand)
  options.signal?.throwIfAborted()
  const opening = step(
    'store',
    options.openStore?.() ??
      openStore({
        clock: options.parts?.clock,
        ownThread: options.storeThread ?? availableParallelism() > 1,
        ...(dataDir === undefined ? {} : { dataDir: join(dataDir, 'store') }),
      }),
  )
  cleanup.deferStarted(opening, (store) => store.close())
  const { content, chain, second, host, deployment, startBlock } = await startLocalFixtures({
    image,
    dataDir,
    ports,
    secondNetwork: options.secondNetwork,
    chainId: options.chainId,
    forkUrl: options.forkUrl,
    names: options.brand,
    warn: options.warn,
    watch: options.watch,
    progress,
    step,
    cleanup,
    signal: options.signal,
  })
  const store = await opening
  options.signal?.throwIfAborted()

  const threshold = await thresholdConfig(options, cleanup)
  const networks = explorerNetworks(deployment, chain, second, startBlock)
  const config: ServiceConfigInput = {
    gateway: { port: ports.gateway ?? 0 },
    ...(options.brand === undefined ? {} : { brand: options.brand }),
    admin: { port: ports.admin ?? 0 },
    logLevel: options.logLevel ?? 'silent',
    ...(options.telemetry === undefined ? {} : { telemetry: options.telemetry }),
    rateLimits: { perKey: { perSecond: 100_000, burst: 100_000 } },
    chain: {
      rpcUrl: chain.url,
      chainId: chain.chainId,
      taskManager: deployment.protocol.taskManager,
      operatorRegistry: deployment.protocol.operatorRegistry,
      ...deployment.registries,
    },
    keys: { gateway: devAccounts.gateway.privateKey, ...devEncryptionKeys },
    operators: devOperators.map(({ address, blsKey, thresholdKey }) => ({
      kind: 'local',
      address,
      blsKey,
      thresholdKey,
    })),
    ...(threshold === undefined ? {} : { threshold }),
    webhooks: { allowLoopback: true },
    explorer: {
      listen: { port: ports.explorer ?? 0 },
      networks,
      rateLimit: { perSecond: 100_000, burst: 100_000 },
    },
    // Longer than the default: on a busy machine slow operators should still count.
    operatorGraceMs: 3_000,
    content: { directory: contentDirectory },
    oracles: {
      cacheDir: transpiledDirectory,
      allowedHosts: [host.hostPort, ...(options.allowedOracleHosts ?? [])],
    },
  }
  const processes = options.operatorProcesses
    ? await step('operators', startOperators(config))
    : undefined
  cleanup.defer(() => Promise.all((processes ?? []).map((each) => each.end())))
  options.signal?.throwIfAborted()
  const complete =
    options.config?.(withOperators(config, processes)) ?? withOperators(config, processes)
  const limits = adjustableLimits()
  const gateway = (deps: GatewayDeps): GatewayDeps => {
    const given = options.parts?.gateway?.(deps) ?? deps
    return { ...given, rateLimits: limits.over(given.rateLimits) }
  }
  const records = options.timeTravel === true ? createTaskRecords() : undefined
  const latest = options.timeTravel === true ? createLatestTasks() : undefined
  const own =
    records === undefined ? undefined : observedOperators(complete, processes !== undefined)
  const traces = stackTraces(options)
  const webhookRecords = options.timeTravel === true ? createWebhookRecords() : undefined
  const given = webhookRecords?.around(traces.given ?? {}) ?? traces.given
  const parts: ServiceParts = {
    ...given,
    gateway,
    ...explorerParts(given, limits),
    ...(records === undefined
      ? {}
      : {
          operator: (operator) => {
            const inner = own?.faulty(operator) ?? operator
            const traced = given?.operator?.(inner) ?? inner
            return records.around(own?.statistics.around(traced) ?? traced)
          },
        }),
    ...(latest === undefined
      ? {}
      : { tasks: (tasks) => latest.around(given?.tasks?.(tasks) ?? tasks) }),
    store,
  }
  const travelling: TravellingService | undefined =
    options.timeTravel === true
      ? await step(
          'service',
          startTravellingService({
            ...{ config: complete, parts, store, cleanup, processes: processes ?? [] },
            rpcUrls: second === undefined ? [chain.url] : [chain.url, second.url],
          }),
        )
      : undefined
  const service = travelling?.service() ?? (await step('service', createService(complete, parts)))
  if (travelling === undefined) cleanup.defer(() => service.close())
  options.signal?.throwIfAborted()
  const operators = service.operators.map((operator, at) =>
    processes === undefined
      ? travelling === undefined
        ? operator
        : currentOperator(() => travelling.service().operators[at]!)
      : switchOf(operator, processes[at]!),
  )
  const [clients] = await step(
    'seeds',
    Promise.all([
      rewriteUrls(chain.url, deployment, host.url, dataDir !== undefined),
      seedStore(store, { deployment, chainId: chain.chainId, fixtureHost: host.url, service }),
    ]),
  )
  const { brand } = service
  const policies =
    records && localPolicies({ chain, startBlock, store, content, deployment, brand, records })
  cleanup.defer(async () => policies?.redecider.close())
  const webhookTools =
    travelling === undefined || webhookRecords === undefined
      ? undefined
      : openWebhookTools({
          ...{ records: webhookRecords, store, now: travelling.travel.now },
          description: () => description,
        })
  const control = await serveControl({
    port: ports.control ?? 0,
    operators,
    operatorSet: registeredOperators(chain.url, deployment.protocol.operatorRegistry),
    accounts: namedAddresses(deployment),
    apiKeys: store.apiKeys,
    rpcUrl: chain.url,
    fixtureHost: host,
    limits,
    travel: own === undefined ? travelling?.travel : forgetting(travelling?.travel, own),
    ...{ ...own?.parts, records, latest, policies },
    ...{ mocks: options.mocks, conformance: options.conformance },
    traces: traces.sources({ records, store, chain, deployment, processes }),
    notifications: store.notifications,
    webhooks: store.webhooks,
    webhookTools,
    backup: {
      ...{ database: store.database, content, rpcUrl: chain.url, deployment },
      forked: options.forkUrl !== undefined,
    },
  })
  cleanup.defer(() => control.close())
  cleanup.defer(async () => webhookTools?.close())
  const description = describeStack({
    ...{ service, chaosUrl: options.chaosUrl },
    control,
    host,
    chain,
    deployment,
    clients,
    networks,
  })
  // Last: everything above mines its blocks at once.
  if (options.blockTime !== undefined)
    await chainRpc(chain.url, 'evm_setIntervalMining', [options.blockTime])
  timings.ready = Math.round(performance.now() - begin)
  return {
    description,
    service,
    fixtureHost: host,
    chain,
    secondChain: second,
    config: complete,
    operators,
    token: deployment.token,
    timings,
    mine: control.mine,
    close: cleanup.close,
  }
}

import { join } from 'node:path'
import type { RunningAnvil } from 'polgate-chain/anvil.ts'
import type { FixtureHost } from 'polgate-fixtures/host/fixtureHost.ts'
import { type CleanupStack, startWithCleanup } from 'polgate-lib/async/cleanupStack.ts'
import { chainRpc } from 'polgate-lib/http/chainRpc.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { GatewayDeps } from 'polgate-service/gateway/gateway.ts'
import { createService, type Service } from 'polgate-service/service.ts'
import type { ServiceConfigInput } from 'polgate-service/serviceConfig.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import { worksInThread } from 'polgate-service/store/openDatabase.ts'
import { openStore } from 'polgate-service/store/openStore.ts'
import { adjustableLimits } from './adjustableLimits.ts'
import { serveControl } from './control.ts'
import { describeStack } from './describeStack.ts'
import { createLatestTasks } from './latestTasks.ts'
import { findImage } from './localChain.ts'
import { explorerNetworks, explorerParts } from './localExplorer.ts'
import { startLocalFixtures, warnOnStderr } from './localFixtures.ts'
import type { LocalStackOptions } from './localStackOptions.ts'
import { namedAddresses } from './namedAddresses.ts'
import { forgetting, observedOperators } from './observedOperators.ts'
import { startOperators, switchOf, withOperators } from './operatorProcesses.ts'
import type { OperatorSwitch } from './operatorSwitch.ts'
import { replaceLostBlocks } from './persistentChain/replaceLostBlocks.ts'
import { localPolicies } from './policies/localPolicies.ts'
import { registeredOperators } from './registeredOperators.ts'
import { rewriteUrls } from './rewriteUrls.ts'
import { seedStore } from './seedStore.ts'
import { stackConfig } from './stackConfig.ts'
import { createTaskRecords } from './taskRecords.ts'
import { stackTraces } from './taskTrace/stackTraces.ts'
import { thresholdConfig } from './thresholdStack.ts'
import { currentOperator } from './timeTravel/currentOperator.ts'
import { startTravellingService, type TravellingService } from './timeTravel/timeTravel.ts'
import { openWebhookTools } from './webhooks/openWebhookTools.ts'
import { createWebhookRecords } from './webhooks/webhookRecords.ts'

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
  const location = dataDir === undefined ? {} : { dataDir: join(dataDir, 'store') }
  const opening = step(
    'store',
    options.openStore?.() ??
      openStore({
        clock: options.parts?.clock,
        ownThread: options.storeThread ?? worksInThread(location),
        ...location,
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
  if (dataDir !== undefined)
    for (const each of second === undefined ? [chain] : [chain, second])
      await replaceLostBlocks(each, store, options.warn ?? warnOnStderr)

  const threshold = await thresholdConfig(options, cleanup)
  const networks = explorerNetworks(deployment, chain, second, startBlock)
  const config = stackConfig(options, { chain, deployment, networks, host, threshold })
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
    key: {
      privacyKey: () => (travelling?.service() ?? service).privacyKey,
      directory: complete.threshold?.directory,
    },
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

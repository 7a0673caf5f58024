import { availableParallelism } from 'node:os'
import { devAccount } from 'polgate-chain/accounts.ts'
import { createChainClient } from 'polgate-chain/client.ts'
import { deregisterOperator } from 'polgate-chain/operators.ts'
import { readAttestationState } from 'polgate-chain/reads.ts'
import { createTransactor } from 'polgate-chain/transactor.ts'
import { type CleanupStack, startWithCleanup } from 'polgate-lib/async/cleanupStack.ts'
import { createSerialQueue } from 'polgate-lib/async/serialQueue.ts'
import { adjustableLimits } from 'polgate-local/adjustableLimits.ts'
import { contentDirectory, transpiledDirectory } from 'polgate-local/chainImage.ts'
import { serveControl } from 'polgate-local/control.ts'
import type { Deployment } from 'polgate-local/deployFixtures.ts'
import { describeStack } from 'polgate-local/describeStack.ts'
import { devAccounts, devEncryptionKeys, devOperators } from 'polgate-local/devKeys.ts'
import { findImage } from 'polgate-local/localChain.ts'
import { explorerNetworks, explorerParts } from 'polgate-local/localExplorer.ts'
import { type LocalFixtures, startLocalFixtures } from 'polgate-local/localFixtures.ts'
import { rewriteUrls } from 'polgate-local/rewriteUrls.ts'
import { seedStore } from 'polgate-local/seedStore.ts'
import { createTaskRecords } from 'polgate-local/taskRecords.ts'
import { currentOperator } from 'polgate-local/timeTravel/currentOperator.ts'
import { createKeptListeners } from 'polgate-local/timeTravel/keptListeners.ts'
import { leasedStore } from 'polgate-local/timeTravel/leasedStore.ts'
import { createMovableClock, type MovableClock } from 'polgate-local/timeTravel/movableClock.ts'
import { createSnapshots, type Snapshots } from 'polgate-local/timeTravel/snapshots.ts'
import { wireBrand } from 'polgate-protocol/brand.ts'
import type { Hex } from 'polgate-protocol/scalars.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { createLogger } from 'polgate-service/logging/createLogger.ts'
import { createService, type Service } from 'polgate-service/service.ts'
import type { ServiceConfigInput } from 'polgate-service/serviceConfig.ts'
import { migrate } from 'polgate-service/store/migrate.ts'
import { openDatabase } from 'polgate-service/store/openDatabase.ts'
import type { Store } from 'polgate-service/store/openStore.ts'
import type { TaskRecord } from '../stack/controlWire.ts'
import type { StackSettings } from '../stack/stackOptions.ts'
import { createMockRegistry, type MockRegistry } from './mockedEgress.ts'

/** A stack of which state and time can be set back. */
export type RunningStack = {
  readonly description: StackDescription
  readonly adminUrl: string
  readonly fixtures: LocalFixtures
  readonly clock: MovableClock
  readonly mocks: MockRegistry
  readonly snapshots: Snapshots
  /** Undefined for a task that this stack's operators have not seen since the last restart. */
  readonly taskRecord: (taskId: string) => Promise<TaskRecord | undefined>
  /** Not closed by the service. */
  readonly store: Store
  readonly service: () => Service
  close(): Promise<void>
}

export const startRunningStack = (settings: StackSettings): Promise<RunningStack> =>
  startWithCleanup((cleanup) => boot(settings, cleanup))

async function boot(settings: StackSettings, cleanup: CleanupStack): Promise<RunningStack> {
  const opening = openDatabase({ ownThread: availableParallelism() > 1 })
  cleanup.deferStarted(opening, (database) => database.close())
  const fixtures = await startLocalFixtures({
    image: await findImage(undefined),
    chainId: settings.chainId,
    progress: settings.progress,
    warn: settings.warn,
    cleanup,
  })
  const { chain, host, deployment } = fixtures
  await dismissOperators(chain.url, deployment, settings.operators)
  const database = await opening
  await migrate(database)

  const clock = createMovableClock([chain.url])
  const mocks = createMockRegistry([host.hostPort, ...settings.allowedOracleHosts])
  const store = leasedStore(database, clock.now)
  const logger = createLogger({ level: settings.logLevel })
  const limits = adjustableLimits()
  const records = createTaskRecords()
  const config = configOf(settings, fixtures)
  // The same addresses after every restart.
  const listeners = createKeptListeners()
  cleanup.defer(() => listeners.close())
  let service: Service
  let running = false
  const start = async () => {
    clock.forgetListeners()
    service = await createService(config, {
      clock: clock.now,
      onClockJump: clock.onJump,
      oracleEgress: mocks.around,
      operator: records.around,
      listener: listeners.listener,
      logger,
      store: leasedStore(database, clock.now),
      gateway: (deps) => ({ ...deps, rateLimits: limits.over(deps.rateLimits) }),
      ...explorerParts(undefined, limits),
    })
    running = true
    return service
  }
  const stop = async () => {
    if (running) await service.close()
    running = false
  }
  cleanup.defer(stop)
  const first = await start()
  const [clients] = await Promise.all([
    rewriteUrls(chain.url, deployment, host.url, false),
    seedStore(store, { deployment, chainId: chain.chainId, fixtureHost: host.url, service: first }),
  ])
  const operators = first.operators.map((_, at) => currentOperator(() => service.operators[at]!))
  const control = await serveControl({
    port: 0,
    operators,
    apiKeys: store.apiKeys,
    rpcUrl: chain.url,
    fixtureHost: host,
    limits,
    backup: { database, content: fixtures.content, rpcUrl: chain.url, deployment },
  })
  cleanup.defer(() => control.close())
  const queue = createSerialQueue()
  const snapshots = createSnapshots({
    database,
    rpcUrls: [chain.url],
    queue,
    stop,
    async start() {
      mocks.clear()
      host.reset()
      limits.set({})
      records.clear()
      await clock.reset()
      await start()
    },
  })
  const networks = explorerNetworks(deployment, chain, undefined)
  const described = { service: first, control, host, chain, deployment, clients, networks }
  return {
    description: describeStack({
      ...described,
      deployment: {
        ...deployment,
        operators: deployment.operators.slice(0, settings.operators),
      },
    }),
    adminUrl: first.adminUrl!,
    fixtures,
    clock,
    mocks,
    snapshots,
    async taskRecord(taskId) {
      const record = records.of(taskId)
      if (record === undefined) return undefined
      const { taskManager } = deployment.protocol
      const client = createChainClient({ rpcUrl: chain.url })
      const { spent } = await readAttestationState(client, taskManager, taskId as Hex)
      return { ...record, spent }
    },
    store,
    service: () => service,
    close: () => queue.run(cleanup.close),
  }
}

/** Removes the operators of the fixtures' chain that the stack is to be without. */
async function dismissOperators(rpcUrl: string, deployment: Deployment, wanted: number) {
  const owner = await createTransactor({ rpcUrl, account: devAccount(0) })
  for (const { id } of deployment.operators.slice(wanted))
    await deregisterOperator(owner, deployment.protocol.operatorRegistry, id)
}

function configOf(settings: StackSettings, fixtures: LocalFixtures): ServiceConfigInput {
  const { chain, host, deployment } = fixtures
  return {
    gateway: { port: 0 },
    ...(settings.brand === undefined ? {} : { brand: wireBrand(settings.brand) }),
    admin: { port: 0 },
    logLevel: settings.logLevel,
    rateLimits: { perKey: { perSecond: 100_000, burst: 100_000 } },
    chain: {
      rpcUrl: chain.url,
      chainId: chain.chainId,
      taskManager: deployment.protocol.taskManager,
      operatorRegistry: deployment.protocol.operatorRegistry,
      ...deployment.registries,
    },
    keys: { gateway: devAccounts.gateway.privateKey, ...devEncryptionKeys },
    operators: devOperators
      .slice(0, settings.operators)
      .map(({ address, blsKey }) => ({ kind: 'local', address, blsKey })),
    webhooks: { allowLoopback: true },
    explorer: {
      listen: { port: 0 },
      networks: explorerNetworks(deployment, chain, undefined),
      rateLimit: { perSecond: 100_000, burst: 100_000 },
    },
    operatorGraceMs: 3_000,
    content: { directory: contentDirectory },
    oracles: {
      cacheDir: transpiledDirectory,
      allowedHosts: [host.hostPort, ...settings.allowedOracleHosts],
    },
  }
}

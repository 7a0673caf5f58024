import { join } from 'node:path'
import type { RunningAnvil } from 'polgate-chain/anvil.ts'
import type { FixtureHost } from 'polgate-fixtures/host/fixtureHost.ts'
import { type CleanupStack, startWithCleanup } from 'polgate-lib/async/cleanupStack.ts'
import type { Brand } from 'polgate-protocol/brand.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { GatewayDeps } from 'polgate-service/gateway/gateway.ts'
import { createService, type Service } from 'polgate-service/service.ts'
import type { ServiceConfigInput } from 'polgate-service/serviceConfig.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import { openStore } from 'polgate-service/store/openStore.ts'
import { adjustableLimits } from './adjustableLimits.ts'
import { startBed } from './bed.ts'
import { contentDirectory, transpiledDirectory } from './chainImage.ts'
import { type OperatorSwitch, serveControl } from './control.ts'
import { describeStack } from './describeStack.ts'
import { devAccounts, devEncryptionKeys, devOperators } from './devKeys.ts'
import { explorerNetworks, explorerParts } from './localExplorer.ts'
import { movePlaces } from './movePlaces.ts'
import { startOperators, switchOf, withOperators } from './operatorProcesses.ts'
import { seedStore } from './seedStore.ts'
import { thresholdConfig } from './thresholdStack.ts'

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
  /** Keeps chain and store from one run to the next; without it nothing is kept. */
  readonly dataDir?: string | undefined
  /** Free ones by default. */
  readonly ports?: LocalStackPorts | undefined
  /** Each operator as a process of its own; they share this one otherwise. */
  readonly operatorProcesses?: boolean | undefined
  /** Threshold mode: how many of the four operators open together what is sealed to the privacy key. */
  readonly threshold?: number | undefined
  /** A second chain, which the explorer shows as `base-sepolia` (decision X7). */
  readonly secondNetwork?: boolean | undefined
  /** The store in a thread of its own; it shares this one otherwise. */
  readonly storeThread?: boolean | undefined
  /** Default: the neutral one. */
  readonly brand?: Brand | undefined
  /** Default `silent`. */
  readonly logLevel?: string | undefined
  /** Told when a step begins that may take long. */
  readonly progress?: ((step: string) => void) | undefined
  /**
   * Told, in a line, when something of a kept chain was lost or cannot be kept, and when a chain stops
   * answering or answers again. Default: stderr.
   */
  readonly warn?: ((line: string) => void) | undefined
  /** Parts of the service to put in another's place. */
  readonly parts?: ServiceParts | undefined
  /** Changes the configuration that the service is started with. */
  readonly config?: ((config: ServiceConfigInput) => ServiceConfigInput) | undefined
}

export type LocalStack = {
  readonly description: StackDescription
  readonly service: Service
  readonly fixtureHost: FixtureHost
  readonly chain: RunningAnvil
  readonly secondChain: RunningAnvil | undefined
  /** What the service was started with, for another one on the same chain. */
  readonly config: ServiceConfigInput
  readonly operators: readonly OperatorSwitch[]
  /** The sample token that the vault holds. */
  readonly token: Address
  /** Milliseconds from the start to the end of each step. */
  readonly timings: Readonly<Record<string, number>>
  /** Mines empty blocks. */
  mine(blocks: number): Promise<void>
  /** Ends everything; no process and no port is left. May be called again. */
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

  const opening = step(
    'store',
    openStore({
      ownThread: options.storeThread,
      ...(dataDir === undefined ? {} : { dataDir: join(dataDir, 'store') }),
    }),
  )
  cleanup.deferStarted(opening, (store) => store.close())
  const { content, chain, second, host, deployment } = await startBed({
    dataDir,
    ports,
    secondNetwork: options.secondNetwork,
    warn: options.warn,
    progress,
    step,
    cleanup,
  })
  const store = await opening

  const threshold = await thresholdConfig(options, cleanup)
  const networks = explorerNetworks(deployment, chain, second)
  const config: ServiceConfigInput = {
    gateway: { port: ports.gateway ?? 0 },
    ...(options.brand === undefined ? {} : { brand: options.brand }),
    admin: { port: ports.admin ?? 0 },
    logLevel: options.logLevel ?? 'silent',
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
    // Longer than elsewhere: on a busy machine an operator that is only slow still counts.
    operatorGraceMs: 3_000,
    content: { directory: contentDirectory },
    oracles: {
      cacheDir: transpiledDirectory,
      allowedHosts: [host.hostPort],
    },
  }
  const processes = options.operatorProcesses
    ? await step('operators', startOperators(config))
    : undefined
  cleanup.defer(() => Promise.all((processes ?? []).map((each) => each.end())))
  const complete =
    options.config?.(withOperators(config, processes)) ?? withOperators(config, processes)
  const limits = adjustableLimits()
  const gateway = (deps: GatewayDeps): GatewayDeps => {
    const given = options.parts?.gateway?.(deps) ?? deps
    return { ...given, rateLimits: limits.over(given.rateLimits) }
  }
  const parts = { ...options.parts, gateway, ...explorerParts(options.parts, limits), store }
  const service = await step('service', createService(complete, parts))
  cleanup.defer(() => service.close())
  const operators = service.operators.map((operator, at) =>
    processes === undefined ? operator : switchOf(operator, processes[at]!),
  )
  const [clients] = await step(
    'seeds',
    Promise.all([
      movePlaces(chain.url, deployment, host.url, dataDir !== undefined),
      seedStore(store, { deployment, chainId: chain.chainId, fixtureHost: host.url, service }),
    ]),
  )
  const control = await serveControl({
    port: ports.control ?? 0,
    operators,
    apiKeys: store.apiKeys,
    rpcUrl: chain.url,
    fixtureHost: host,
    limits,
    backup: { database: store.database, content, rpcUrl: chain.url, deployment },
  })
  cleanup.defer(() => control.close())
  const description = describeStack({
    service,
    control,
    host,
    chain,
    deployment,
    clients,
    networks,
  })
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

import type { Logger } from 'pino'
import type { ChainWatchOptions } from 'polgate-chain/chainWatch.ts'
import type { AroundRequest } from 'polgate-chain/client.ts'
import type { CleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import type { Brand } from 'polgate-protocol/brand.ts'
import type { Clock } from 'polgate-protocol/clock.ts'
import type { Registry } from 'prom-client'
import type { IndexerDeps } from './explorer/indexer/indexer.ts'
import type { ExplorerDeps } from './explorer/rest/explorerApp.ts'
import type { GatewayDeps } from './gateway/gateway.ts'
import { type Listener, type ServeOptions, serve } from './gateway/serve.ts'
import type { UpdateServerDeps } from './gateway/updates/updateServer.ts'
import type { Operator } from './operators/operator.ts'
import type { OperatorTools } from './operators/operatorParts.ts'
import type { Egress } from './oracles/egress.ts'
import type { HostFetch } from './oracles/hostFetch.ts'
import type { GrantChain } from './privateData/grantChain.ts'
import type { SealedDataDeps } from './sealedData/sealedDataDeps.ts'
import type { SealedDataService } from './sealedData/sealedDataService.ts'
import type { ServiceConfig } from './serviceConfig.ts'
import type { Store } from './store/openStore.ts'
import type { Stopwatch } from './tasks/stopwatch.ts'
import type { TaskChain } from './tasks/taskChain.ts'
import type { TaskDeps } from './tasks/taskDeps.ts'
import type { TaskService } from './tasks/taskService.ts'
import type { PartialDecryptions } from './threshold/partial.ts'
import type { WebhooksOptions } from './webhooks/webhooks.ts'

export type ListenerName = 'gateway' | 'explorer' | 'admin'

/** What tests, benchmarks and mutants may replace. */
export type ServiceParts = {
  readonly clock?: Clock
  /**
   * Registers what to call after `clock` has jumped ahead: timers measure real time, so what has
   * become due is not noticed otherwise.
   */
  readonly onClockJump?: (listener: () => void) => void
  readonly fetch?: typeof globalThis.fetch
  readonly uuid?: () => string
  /** Random bytes for keys. */
  readonly random?: (size: number) => Uint8Array
  readonly logger?: Logger
  readonly stopwatch?: Stopwatch
  /** An open store, which the service closes. */
  readonly store?: Store
  readonly chain?: (chain: TaskChain) => TaskChain
  readonly operator?: (operator: Operator) => Operator
  /** What the operators of this process read about private data. */
  readonly grantChain?: (chain: GrantChain) => GrantChain
  /** In threshold mode: partial decryptions of the operators of this process, and their verification. */
  readonly decryptions?: (own: PartialDecryptions) => PartialDecryptions
  /** Timeout of a read from the node of tasks in milliseconds, default 10,000. */
  readonly chainReadMs?: number
  /** Runs each request to a node of tasks, posting and indexers. */
  readonly nodeCall?: AroundRequest
  /** How the node of tasks is watched for outages and reverts. */
  readonly chainWatch?: (options: ChainWatchOptions) => ChainWatchOptions
  /** Headers of calls to operators in other processes. */
  readonly traceHeaders?: () => Readonly<Record<string, string>>
  /** Wraps content, oracle host, Rego engine and secrets check of the operators in this process. */
  readonly operatorTools?: (tools: OperatorTools) => OperatorTools
  /** Wraps the fetch of one oracle run in this process. */
  readonly oracleFetch?: (fetch: HostFetch) => HostFetch
  /** Wraps the guarded connections of oracle runs in this process. No configuration can do that. */
  readonly oracleEgress?: (egress: Egress) => Egress
  readonly taskDeps?: (deps: TaskDeps) => TaskDeps
  readonly tasks?: (tasks: TaskService) => TaskService
  readonly sealedData?: (sealedData: SealedDataService) => SealedDataService
  readonly sealedDataDeps?: (deps: SealedDataDeps) => SealedDataDeps
  readonly webhooks?: (options: WebhooksOptions) => WebhooksOptions
  readonly gateway?: (deps: GatewayDeps) => GatewayDeps
  /** Registers further metrics of `/metrics`. */
  readonly metrics?: (registry: Registry) => void
  /** Wraps the HTTP handler of the gateway. */
  readonly wrapGatewayFetch?: (fetch: ServeOptions['fetch']) => ServeOptions['fetch']
  readonly updateServer?: (deps: UpdateServerDeps) => UpdateServerDeps
  readonly indexer?: (deps: IndexerDeps) => IndexerDeps
  readonly explorer?: (deps: ExplorerDeps) => ExplorerDeps
  /** Starts a listener instead of `serve`, for instance one that outlives this service. */
  readonly listener?: (name: ListenerName, options: ServeOptions) => Promise<Listener>
  /** Wraps the HTTP handler of the explorer. */
  readonly wrapExplorerFetch?: (fetch: ServeOptions['fetch']) => ServeOptions['fetch']
}

/** Starts a listener of the service. */
export const startListener = (
  { listener }: ServiceParts,
  name: ListenerName,
  options: ServeOptions,
): Promise<Listener> => listener?.(name, options) ?? serve(options)

/** What the components of a service are made from. */
export type ServiceContext = {
  readonly config: ServiceConfig
  readonly parts: ServiceParts
  readonly brand: Brand
  /** Version of this package. */
  readonly version: string
  readonly clock: Clock
  readonly logger: Logger
  readonly store: Store
  /** Has something closed with the service: what was opened last, first. */
  readonly onClose: CleanupStack['defer']
}

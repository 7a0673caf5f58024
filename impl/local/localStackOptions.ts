import type { Brand } from 'polgate-protocol/brand.ts'
import type { ServiceConfigInput } from 'polgate-service/serviceConfig.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { Store } from 'polgate-service/store/openStore.ts'
import type { ConformanceControl } from './conformanceRoutes.ts'
import type { MockControl } from './mockRoutes.ts'
import type { WatchTimes } from './watchLocalChain.ts'

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

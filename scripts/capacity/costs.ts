import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ClusterRow } from '../bench/cluster/measure.ts'

/** A measured configuration, for comparison with the model. */
export type MeasuredCluster = Pick<ClusterRow, 'gateways' | 'operators' | 'cpuMs'> & {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly tasks: number
  /** Cores that the processes of the deployment used while the load ran. */
  readonly coresUsed: number
  /** Of these, what the processes use without load. */
  readonly coresIdle: number
  readonly bottleneck: string
}

/** What was measured; CPU and times in milliseconds. `--calibrate` writes it. */
export type Costs = {
  readonly machine: { readonly node: string; readonly cores: number }
  readonly gateway: {
    readonly perTask: number
    /** Request, response, update and signature of one operator. */
    readonly perOperator: number
  }
  /** Of one operator. */
  readonly operator: {
    /** Of a policy without oracle, with HTTP, Rego and signature. */
    readonly perTask: number
    /** One evaluation, one signature and one run of an oracle, as parts of a task. */
    readonly rego: number
    readonly sign: number
    readonly oracle: number
  }
  readonly attestation: {
    readonly sign: number
    readonly verify: number
    /** Aggregation of all valid signatures: a pairing check, and additions. */
    readonly aggregate: number
    readonly aggregatePerSignature: number
  }
  readonly postgres: {
    /** CPU of the connections of gateways, and of those of the indexer. */
    readonly perTask: number
    readonly perTaskOfIndexer: number
    readonly walBytesPerTask: number
    /** Time of making the log durable, and of whole statements of a task, alone. */
    readonly flush: number
    readonly statements: {
      readonly admit: number
      readonly markProcessing: number
      readonly settle: number
      readonly finish: number
    }
  }
  readonly indexer: { readonly perTask: number }
  readonly posting: {
    readonly gasUsedPerResult: number
    /** Of the transactions: what a block must have left. */
    readonly gasLimitPerResult: number
    readonly calldataBytesPerResult: number
  }
  /** The client of the bench, which shares the machine. */
  readonly load: { readonly perTask: number }
  readonly chain: { readonly perTask: number }
  readonly measured: readonly MeasuredCluster[]
}

export const costsFile = fileURLToPath(new URL('./costs.json', import.meta.url))

export const readCosts = (file: string): Costs => JSON.parse(readFileSync(file, 'utf8')) as Costs

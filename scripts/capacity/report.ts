import type { Assumptions } from './assumptions.ts'
import { predictCluster } from './closedLoop.ts'
import type { Costs } from './costs.ts'
import type { Machines, Workload } from './deployment.ts'
import { type Limit, limitsOf } from './limits.ts'
import { chainKinds, type PostingPlan, postingPlan } from './posting.ts'
import { type Cost, costPerMillion, type Prices } from './prices.ts'
import { findPlan, type Plan } from './search.ts'
import { type TopologyRow, topologyOf, treeWinsFrom } from './topology.ts'

export type CapacityOptions = {
  readonly costs: Costs
  readonly assumptions: Assumptions
  readonly prices: Prices
  readonly workload: Workload
  readonly maxUtilisation: number
  readonly maxP99: number
  readonly tasks: number
  readonly seed: number
  readonly times: 'exponential' | 'constant'
}

export type CapacityReport = {
  readonly plan: Plan
  /** Physical machines of each kind; a partition is one. */
  readonly hosts: Readonly<Record<keyof Machines, number>>
  readonly limits: readonly Limit[]
  readonly topologies: readonly TopologyRow[]
  readonly treeWinsFrom: number | undefined
  readonly posting: readonly PostingPlan[]
  readonly cost: Cost
  readonly compared: readonly {
    readonly gateways: number
    readonly operators: number
    readonly measured: number
    readonly predicted: number
    readonly measuredP50: number
    readonly predictedP50: number
  }[]
}

/** Bytes of a request and its response between gateway and operator, and at the caller. */
const messageBytes = 4_000

/** Callers of `bench:cluster` by default. */
const callers = 16

export function capacityReport(options: CapacityOptions): CapacityReport {
  const { costs, assumptions, workload, maxUtilisation, seed } = options
  const { rate, operators } = workload
  const { commitmentGas, machineCores, partitionCores } = assumptions
  const plan = findPlan(options)
  const { machines } = plan
  const onMachines = (processes: number) => Math.ceil(processes / machineCores)
  const hosts = {
    balancers: onMachines(machines.balancers),
    gateways: onMachines(machines.gateways),
    operatorProcesses: onMachines(machines.operatorProcesses) * operators,
    subAggregators: onMachines(machines.subAggregators),
    partitions: machines.partitions,
    indexers: onMachines(machines.indexers),
  }
  const { partitions, ...others } = hosts
  const posting = chainKinds.map((chain) =>
    postingPlan({ costs, chain, rate, maxUtilisation, commitmentGas }),
  )
  const compared = costs.measured.map((row) => {
    const predicted = predictCluster(costs, row, { callers, tasks: 1_000, seed })
    return {
      ...{ gateways: row.gateways, operators: row.operators },
      ...{ measured: row.perSecond, predicted: predicted.perSecond },
      ...{ measuredP50: row.p50, predictedP50: predicted.p50 },
    }
  })
  return {
    plan,
    hosts,
    limits: limitsOf({ costs, workload, assumptions, posting }),
    topologies: [4, 16, 64, 256].map((count) => topologyOf(costs, count, assumptions)),
    treeWinsFrom: treeWinsFrom(costs, assumptions),
    posting,
    cost: costPerMillion({
      prices: options.prices,
      rate,
      cores: Object.values(others).reduce((sum, count) => sum + count, 0) * machineCores,
      databaseCores: partitions * partitionCores,
      storedBytesPerTask: assumptions.storedBytesPerTask,
      networkBytesPerTask: messageBytes * (1 + operators),
      gasPerTask: costs.posting.gasUsedPerResult,
      commitmentGas,
      commitmentsPerSecond: 1000 / chainKinds[0]!.blockMs,
    }),
    compared,
  }
}

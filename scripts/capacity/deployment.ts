import type { Assumptions } from './assumptions.ts'
import type { Costs } from './costs.ts'

export type Topology = 'flat' | 'tree'

/** Numbers of processes of each kind. */
export type Machines = {
  readonly balancers: number
  readonly gateways: number
  /** Processes of each operator. */
  readonly operatorProcesses: number
  /** Only with the topology `tree`. */
  readonly subAggregators: number
  /** PostgreSQL servers, each with a part of the clients. */
  readonly partitions: number
  readonly indexers: number
}

export type Workload = {
  /** Tasks per second; arrivals are a Poisson process. */
  readonly rate: number
  readonly operators: number
  readonly topology: Topology
  /** Operators of one sub-aggregator. */
  readonly fanOut: number
  readonly withOracle: boolean
}

/** CPU milliseconds of one task at each kind of process. */
export type Demand = {
  readonly balancers: number
  readonly gateways: number
  /** Of each operator. */
  readonly operatorProcesses: number
  /** Of each sub-aggregator that takes part. */
  readonly subAggregators: number
  readonly partitions: number
  readonly indexers: number
}

/** How many calls a gateway makes for a task, and to how many operators each leads. */
export function callsOf({ operators, topology, fanOut }: Workload): readonly number[] {
  if (topology === 'flat') return Array<number>(operators).fill(1)
  const groups = Math.ceil(operators / fanOut)
  return Array.from(
    { length: groups },
    (_, at) => Math.floor(((at + 1) * operators) / groups) - Math.floor((at * operators) / groups),
  )
}

/**
 * CPU time of a task. With a tree, each sub-aggregator calls its operators and verifies their sum,
 * and the gateway does the same with the sub-aggregators.
 */
export function demandOf(costs: Costs, workload: Workload, given: Assumptions): Demand {
  const { gateway, operator, postgres, attestation } = costs
  const calls = callsOf(workload).length
  const phases = workload.withOracle ? 2 : 1
  return {
    balancers: given.balancerMs,
    gateways: gateway.perTask + gateway.perOperator * calls * phases,
    operatorProcesses: operator.perTask + (workload.withOracle ? operator.oracle : 0),
    subAggregators:
      workload.topology === 'flat'
        ? 0
        : attestation.aggregate + (gateway.perOperator * phases * workload.operators) / calls,
    partitions: postgres.perTask + postgres.perTaskOfIndexer,
    indexers: costs.indexer.perTask,
  }
}

/** CPU seconds per second, that is, busy cores, of each kind; operators together. */
export function offered(costs: Costs, workload: Workload, given: Assumptions): Demand {
  const demand = demandOf(costs, workload, given)
  const cores = (ms: number) => (ms * workload.rate) / 1000
  const groups = workload.topology === 'flat' ? 0 : callsOf(workload).length
  return {
    balancers: cores(demand.balancers),
    gateways: cores(demand.gateways),
    operatorProcesses: cores(demand.operatorProcesses) * workload.operators,
    subAggregators: cores(demand.subAggregators) * groups,
    partitions: cores(demand.partitions),
    indexers: cores(demand.indexers),
  }
}

/** Busy part of each kind; sub-aggregators and operators share the work evenly. */
export function utilisationOf(
  costs: Costs,
  workload: Workload,
  given: Assumptions,
  machines: Machines,
): Demand {
  const busy = offered(costs, workload, given)
  return {
    balancers: busy.balancers / machines.balancers,
    gateways: busy.gateways / machines.gateways,
    operatorProcesses: busy.operatorProcesses / (machines.operatorProcesses * workload.operators),
    subAggregators:
      workload.topology === 'flat' ? 0 : busy.subAggregators / machines.subAggregators,
    partitions: busy.partitions / (machines.partitions * given.partitionCores),
    indexers: busy.indexers / machines.indexers,
  }
}

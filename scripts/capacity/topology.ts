import type { Assumptions } from './assumptions.ts'
import type { Costs } from './costs.ts'
import { demandOf, type Workload } from './deployment.ts'

export type TopologyRow = {
  readonly operators: number
  /** With the fan-out that makes the longest way shortest. */
  readonly fanOut: number
  /** CPU milliseconds per task of the gateway. */
  readonly flatGateway: number
  readonly treeGateway: number
  /** CPU of gateway and sub-aggregators together. */
  readonly flatTotal: number
  readonly treeTotal: number
  /** Milliseconds that aggregation adds to the response of an idle service. */
  readonly flatLatency: number
  readonly treeLatency: number
}

/** Compares the flat topology with a tree of one level. */
export function topologyOf(costs: Costs, operators: number, given: Assumptions): TopologyRow {
  const fanOut = Math.max(2, Math.round(Math.sqrt(operators)))
  const base = { rate: 1, operators, fanOut, withOracle: false } as const
  const workload = (topology: Workload['topology']): Workload => ({ ...base, topology })
  const flat = demandOf(costs, workload('flat'), given)
  const tree = demandOf(costs, workload('tree'), given)
  const groups = Math.ceil(operators / fanOut)
  return {
    ...{ operators, fanOut },
    flatGateway: flat.gateways,
    treeGateway: tree.gateways,
    flatTotal: flat.gateways,
    treeTotal: tree.gateways + groups * tree.subAggregators,
    flatLatency: flat.gateways,
    treeLatency: tree.gateways + tree.subAggregators + given.siteMs,
  }
}

/** The least number of operators from which on the tree responds sooner. */
export function treeWinsFrom(costs: Costs, given: Assumptions): number | undefined {
  for (let operators = 2; operators <= 4_096; operators++) {
    const { flatLatency, treeLatency } = topologyOf(costs, operators, given)
    if (treeLatency < flatLatency) return operators
  }
  return undefined
}

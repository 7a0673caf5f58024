import type { Assumptions } from './assumptions.ts'
import type { Costs } from './costs.ts'
import { demandOf, type Machines, offered, utilisationOf, type Workload } from './deployment.ts'
import { type ModelOptions, type ModelResult, simulate } from './model.ts'

export type Search = {
  readonly costs: Costs
  readonly assumptions: Assumptions
  readonly workload: Workload
  readonly maxUtilisation: number
  /** Milliseconds. */
  readonly maxP99: number
  readonly tasks: number
  readonly seed: number
  readonly times?: ModelOptions['times']
}

export type Plan = {
  readonly machines: Machines
  readonly utilisation: Readonly<Record<keyof Machines, number>>
  readonly result: ModelResult
  /** Whether the bound of the latency holds. */
  readonly holds: boolean
}

/** Simulations at most; each adds processes of one kind. */
const maxSteps = 12
/** Part of a kind that a step adds. */
const growth = 0.1

/** The least processes of each kind with which no kind is busier than allowed. */
export function leastByUtilisation(search: Omit<Search, 'maxP99' | 'tasks' | 'seed'>): Machines {
  const { costs, assumptions, workload, maxUtilisation } = search
  const busy = offered(costs, workload, assumptions)
  const least = (cores: number) => Math.max(1, Math.ceil(cores / maxUtilisation))
  return {
    balancers: least(busy.balancers),
    gateways: least(busy.gateways),
    operatorProcesses: least(busy.operatorProcesses / workload.operators),
    subAggregators: workload.topology === 'flat' ? 0 : least(busy.subAggregators),
    partitions: least(busy.partitions / assumptions.partitionCores),
    indexers: least(busy.indexers),
  }
}

/**
 * Begins with the least by utilisation. While the 99th percentile of the latency is above the
 * bound, it adds processes of the kind whose jobs wait longest; the indexer delays no response.
 * Where more processes do not help, because the work of one task takes too long, it returns the
 * beginning.
 */
export function findPlan(search: Search): Plan {
  const least = leastByUtilisation(search)
  const first = planOf(search, least, simulate({ ...search, machines: least }))
  let plan = first
  for (let step = 0; step < maxSteps && !plan.holds; step++) {
    const { machines, result } = plan
    const kind = longestWait(result, demandOf(search.costs, search.workload, search.assumptions))
    if (kind === undefined) return first
    const more = { ...machines, [kind]: machines[kind] + Math.ceil(machines[kind] * growth) }
    plan = planOf(search, more, simulate({ ...search, machines: more }))
  }
  return plan.holds ? plan : first
}

function planOf(search: Search, machines: Machines, result: ModelResult): Plan {
  const { costs, workload, assumptions, maxP99 } = search
  const utilisation = utilisationOf(costs, workload, assumptions, machines)
  return { machines, utilisation, result, holds: result.p99 <= maxP99 }
}

/** Waits below this part of the service time are not worth a process. */
const negligible = 0.05

function longestWait(
  { waits }: ModelResult,
  demand: Readonly<Record<keyof Machines, number>>,
): keyof Machines | undefined {
  const kinds = (Object.keys(waits) as (keyof Machines)[]).filter(
    (kind) => kind !== 'indexers' && waits[kind] > negligible * demand[kind],
  )
  return kinds.sort((a, b) => waits[b] - waits[a])[0]
}

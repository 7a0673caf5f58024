import type { Assumptions } from './assumptions.ts'
import type { Costs } from './costs.ts'
import { demandOf, type Workload } from './deployment.ts'
import type { PostingPlan } from './posting.ts'

export type Limit = {
  readonly name: string
  /** Tasks per second of one, fully used. */
  readonly perSecond: number
  /** Whether the code allows more than one, in this deployment. */
  readonly more: string
}

/** What one of each kind can take, the least first. */
export function limitsOf(options: {
  readonly costs: Costs
  readonly workload: Workload
  readonly assumptions: Assumptions
  readonly posting: readonly PostingPlan[]
}): readonly Limit[] {
  const { costs, workload, assumptions, posting } = options
  const demand = demandOf(costs, workload, assumptions)
  const one = (ms: number, cores = 1) => (cores * 1000) / ms
  const limits: Limit[] = [
    ...posting.map(({ chain, oneAccount }) => ({
      name: `posting, ${chain.name}`,
      perSecond: oneAccount.perSecond,
      more: 'no: one account per chain and database',
    })),
    { name: 'gateway process', perSecond: one(demand.gateways), more: 'yes' },
    {
      name: 'operator',
      perSecond: one(demand.operatorProcesses),
      more: 'no: one process knows what the operator signed',
    },
    { name: 'indexer', perSecond: one(demand.indexers), more: 'no: one writes a chain' },
    {
      name: `PostgreSQL, ${assumptions.partitionCores} cores`,
      perSecond: one(demand.partitions, assumptions.partitionCores),
      more: 'no: one database',
    },
  ]
  return limits.sort((a, b) => a.perSecond - b.perSecond)
}

import type { Capability } from '../core/check.ts'
import { isWhole, type Plan } from '../runner/plan.ts'

/** The policy clients that the checks of a run need, by the names of their fixtures. */
export const fixtureClientsOf = ({ checks: chosen }: Plan): ReadonlySet<string> =>
  new Set(
    chosen
      .flatMap(({ needs, uses = [] }) => [...needs, ...uses])
      .flatMap((need) => (need.startsWith('client:') ? [need.slice('client:'.length)] : [])),
  )

/**
 * What a run has to know of its target: of a selection only what its checks need. The shards of a run have to
 * know the same.
 */
export function neededBy(plan: Plan): readonly Capability[] | undefined {
  const { checks: chosen, shard, notClaimed } = plan
  if (shard === undefined && isWhole(plan) && notClaimed === 0) return undefined
  return [...chosen, ...(shard?.others ?? [])].flatMap((check) => check.needs)
}

import type { Target } from '../core/target.ts'
import { isWhole, type Plan } from '../runner/plan.ts'
import { featureSigns } from '../targets/features.ts'

/** The policy clients that the checks of a run need, by the names of their fixtures. */
export const fixtureClientsOf = ({ checks: chosen }: Plan): ReadonlySet<string> =>
  new Set(
    chosen
      .flatMap(({ needs, uses = [] }) => [...needs, ...uses])
      .flatMap((need) => (need.startsWith('client:') ? [need.slice('client:'.length)] : [])),
  )

/**
 * What a run has to know of its target: of a selection only what its checks need, and the features that
 * are declared; the shards of a run have to know the same.
 */
export function wantedOf(plan: Plan, { features = [] }: Target) {
  const { checks: chosen, shard } = plan
  if (shard !== undefined || isWhole(plan)) return {}
  const needs = [
    ...chosen.flatMap((check) => check.needs),
    ...features.flatMap((name) => featureSigns[name].needs),
  ]
  return { needs, features }
}

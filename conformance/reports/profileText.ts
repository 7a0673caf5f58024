import type { RunStarted } from '../core/events.ts'
import { commonestReason, type ProfileProof } from '../core/profileProof.ts'
import { dependencies, profiles } from '../register/profiles.ts'
import type { Report } from './report.ts'

/** What a run proved of a profile, in one line. */
export function profileText(proof: ProfileProof): string {
  const { profile, holds, clauses, proven, refuted, excepted, unproven } = proof
  const isOwnFault = proven === 0 || refuted.length + unproven.length > 0
  const ids = (some: readonly { readonly clause: string }[]) => some.map(({ clause }) => clause)
  return [
    `${holds ? 'holds' : 'does not hold'}: ${proven} of ${clauses} required clauses proven`,
    ...(refuted.length > 0 ? [`refuted ${listed(refuted)}`] : []),
    ...(unproven.length > 0
      ? [`not proven ${listed(ids(unproven))} (${commonestReason(unproven)})`]
      : []),
    ...(holds || isOwnFault ? [] : [`it depends on ${dependencies[profile].join(', ')}`]),
    ...(excepted.length > 0
      ? [`not proven, which a target may lack, ${listed(ids(excepted))}`]
      : []),
  ].join('; ')
}

/** Ids listed by name; the rest is counted. */
const mostIds = 8

const listed = (ids: readonly string[]): string =>
  `${ids.slice(0, mostIds).join(', ')}${ids.length > mostIds ? ` and ${ids.length - mostIds} more` : ''}`

/** The profiles that were not tested, in one line; undefined where all were. */
export function notClaimedText({
  profiles: claimed,
  notClaimed = 0,
}: RunStarted): string | undefined {
  const others = profiles.filter((profile) => !(claimed ?? profiles).includes(profile))
  return others.length === 0 ? undefined : `${others.join(', ')} (${notClaimed} checks)`
}

/** What a run says about profiles, by label: each that is claimed, those that are not, and the waivers. */
export function profileRows({
  summary,
  started,
}: Report): readonly (readonly [label: string, text: string])[] {
  const others = notClaimedText(started)
  return [
    ...summary.profiles.map((proof) => [`Profile ${proof.profile}`, profileText(proof)] as const),
    ...(others === undefined ? [] : [['Not claimed', others] as const]),
    ...Object.entries(started.waived ?? {}).map(
      ([name, reason]) => [`Waived ${name}`, reason] as const,
    ),
  ]
}

/** Clauses proven, of all of the register. */
export const clausesText = ({ coverage }: Report): string =>
  `${coverage.proven} of ${coverage.clauses} proven, ${coverage.reasoned} with a written reason, ${coverage.refuted.length} refuted`

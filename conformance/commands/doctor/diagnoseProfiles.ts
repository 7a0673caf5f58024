import { areExcepted, commonestReason, profileProofs } from '../../core/profileProof.ts'
import type { TaggedCheck } from '../../core/tags.ts'
import { type Profile, profiles } from '../../register/profiles.ts'
import { clauses } from '../../register/register.ts'
import type { Missing } from '../../targets/capabilities.ts'
import { type Diagnosed, notOk, ok } from './diagnosis.ts'

export type ProfileFacts = {
  /** The checks of the claimed profiles. */
  readonly checks: readonly TaggedCheck[]
  readonly missing: Missing
  /** Profiles of which the gateway does not know a method, with the reason. */
  readonly unserved: ReadonlyMap<Profile, string>
}

/** Whether each claimed profile would hold if every check passed that can run. */
export function diagnoseProfiles(
  claimed: readonly Profile[],
  { checks, missing, unserved }: ProfileFacts,
): readonly Diagnosed[] {
  const results = checks.map(({ clauses, level, needs }) => {
    const lacks = needs.filter((need) => missing[need] !== undefined)
    const first = lacks.find((need) => !areExcepted([need])) ?? lacks[0]
    return first === undefined
      ? { clauses, level, verdict: 'passed' as const }
      : { clauses, level, lacks, verdict: 'untestable' as const, reason: missing[first]! }
  })
  const proofs = new Map(
    profileProofs(claimed, results, clauses).map((proof) => [proof.profile, proof]),
  )
  return profiles.map((profile) => {
    const proof = proofs.get(profile)
    if (proof === undefined) return ok('profiles', profile, 'not claimed')
    const why = unserved.get(profile)
    if (why !== undefined)
      return notOk(
        'missing',
        'profiles',
        profile,
        `claimed, but ${why}`,
        'Remove it from profiles.',
      )
    const { holds, unproven, excepted, clauses: all } = proof
    if (holds) {
      const less = excepted.length === 0 ? '' : `, ${excepted.length} of ${all} clauses not proven`
      return ok('profiles', profile, `claimed, can hold${less}`)
    }
    const says =
      unproven.length === 0
        ? 'claimed, cannot hold without the profiles that it depends on'
        : `claimed, cannot hold: ${unproven.length} of ${all} required clauses cannot be proven: ${commonestReason(unproven)}`
    return notOk('missing', 'profiles', profile, says)
  })
}

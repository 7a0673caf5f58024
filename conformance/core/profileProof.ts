import type { Clause } from '../register/clause.ts'
import { dependencies, type Profile, profiles } from '../register/profiles.ts'
import type { CheckFinished } from './events.ts'

/**
 * What only the owner of a test environment can give: a gateway may lack it without losing a profile. The
 * clauses that are not proven for that reason stand beside the verdict.
 */
export const environmentCapabilities = [
  'chain:dev',
  'chaos',
  'fixture-host',
  'key-control',
  'limit-control',
  'operator-control',
  'world',
] as const

/** Forms that the specification leaves open, and that the suite has to choose: the same. */
export const openForms = [
  'challenge-form',
  'envelope-form',
  'identity-signature-form',
  'unattested-data',
] as const

const mayLack: ReadonlySet<string> = new Set([...environmentCapabilities, ...openForms])

/** Whether a gateway may lack all of these without losing a profile. */
export const areExcepted = (capabilities: readonly string[] = []): boolean =>
  capabilities.length > 0 && capabilities.every((name) => mayLack.has(name))

/** A clause that is not proven, and why. */
export type Unproven = { readonly clause: string; readonly why: string }

/** What a run proved of one profile. Clauses are required ones that have a check. */
export type ProfileProof = {
  readonly profile: Profile
  readonly holds: boolean
  readonly clauses: number
  readonly proven: number
  /** Cited by a failed check. */
  readonly refuted: readonly string[]
  /** Not proven for capabilities alone that a gateway may lack. */
  readonly excepted: readonly Unproven[]
  /** Not proven for another reason: the profile does not hold. */
  readonly unproven: readonly Unproven[]
}

type Result = Pick<CheckFinished, 'clauses' | 'level' | 'verdict' | 'reason' | 'lacks'>

const didNotRun = 'no check of it ran'

function unprovenOf(clause: string, results: readonly Result[]): Unproven {
  const why = results.find(({ lacks }) => !areExcepted(lacks))?.reason ?? results[0]?.reason
  return { clause, why: why ?? didNotRun }
}

/**
 * What results prove of the claimed profiles. A clause is proven by a check that passed, unless another one
 * refutes it; a check that did not run proves nothing.
 */
export function profileProofs(
  claimed: readonly Profile[],
  results: readonly Result[],
  clauses: readonly Clause[],
): readonly ProfileProof[] {
  const citing = new Map<string, Result[]>()
  for (const result of results)
    for (const id of result.clauses) citing.set(id, [...(citing.get(id) ?? []), result])
  const holding = new Set<Profile>()
  return profiles
    .filter((profile) => claimed.includes(profile))
    .map((profile) => {
      const required = clauses.filter(
        (clause) =>
          clause.profile === profile && clause.level === 'must' && clause.noCheck === undefined,
      )
      const refuted: string[] = []
      const excepted: Unproven[] = []
      const unproven: Unproven[] = []
      for (const { id } of required) {
        const some = citing.get(id) ?? []
        if (some.some(({ verdict }) => verdict === 'failed')) refuted.push(id)
        else if (!some.some(({ verdict }) => verdict === 'passed'))
          (some.length > 0 && some.every(({ lacks }) => areExcepted(lacks))
            ? excepted
            : unproven
          ).push(unprovenOf(id, some))
      }
      const proven = required.length - refuted.length - excepted.length - unproven.length
      const holds =
        proven > 0 &&
        refuted.length + unproven.length === 0 &&
        dependencies[profile].every((each) => holding.has(each))
      if (holds) holding.add(profile)
      return { profile, holds, clauses: required.length, proven, refuted, excepted, unproven }
    })
}

/** Why most of the clauses are not proven. */
export function commonestReason(unproven: readonly Unproven[]): string | undefined {
  const counts = new Map<string, number>()
  for (const { why } of unproven) counts.set(why, (counts.get(why) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}

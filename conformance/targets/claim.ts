import { checkProfiles } from '../core/checkProfiles.ts'
import { CannotRun } from '../core/conformanceError.ts'
import { areExcepted } from '../core/profileProof.ts'
import { nearest } from '../core/select.ts'
import type { TaggedCheck } from '../core/tags.ts'
import { dependencies, type Profile, profiles, withDependencies } from '../register/profiles.ts'
import { clauses } from '../register/register.ts'
import type { TargetFile } from './targetSchema.ts'
import type { WantedTarget } from './wantedTarget.ts'

type Declared = Pick<TargetFile, 'profiles' | 'notApplicable'>

/** What a target file says about profiles. A stack is the reference implementation: it has all of them. */
export const declaredBy = (wanted: WantedTarget): Declared =>
  ('file' in wanted ? wanted.file : undefined) ?? {}

const isProfile = (name: string): name is Profile => profiles.some((known) => known === name)

function named(name: string): Profile {
  if (isProfile(name)) return name
  throw new CannotRun(
    `--require '${name}' is not a profile`,
    `Did you mean '${nearest(name, profiles)}'? The profiles are ${profiles.join(', ')}.`,
  )
}

/**
 * The profiles that a run tests: those that the target file declares, all where it declares none, and those
 * of `--require`. Where only the latter names some, these and what they depend on.
 *
 * @throws CannotRun where a profile is declared without one that it depends on
 */
export function claimOf(
  { profiles: declared }: Declared,
  require: readonly string[] | undefined,
): readonly Profile[] {
  const required = (require ?? []).map(named)
  if (declared === undefined) return required.length === 0 ? profiles : withDependencies(required)
  for (const profile of declared)
    for (const needed of dependencies[profile])
      if (!declared.includes(needed))
        throw new CannotRun(
          `profiles names ${profile}, which depends on ${needed}`,
          `Write in the target file: profiles: [${withDependencies(declared).join(', ')}]`,
        )
  return withDependencies([...declared, ...required])
}

/**
 * A waiver that takes away the only proof of a clause takes away its profile: that is an error before anything
 * is started, unless a gateway may lack the capability.
 *
 * @throws CannotRun
 */
export function expectProvable(
  claimed: readonly Profile[],
  { notApplicable = {} }: Declared,
  checks: readonly TaggedCheck[],
): void {
  const waivers = Object.keys(notApplicable)
  if (waivers.length === 0) return
  const isWaived = (name: string) => waivers.includes(name)
  const usable = checks.filter((check) =>
    checkProfiles(check).every((each) => claimed.includes(each)),
  )
  for (const { id, profile, level, noCheck } of clauses) {
    if (!claimed.includes(profile) || level !== 'must' || noCheck !== undefined) continue
    const proving = usable.filter((check) => check.clauses.includes(id))
    if (!proving.every(({ needs }) => needs.some(isWaived))) continue
    const waived = proving
      .flatMap(({ needs }) => needs)
      .find((need) => isWaived(need) && !areExcepted([need]))
    if (waived === undefined) continue
    const rest = claimed.filter((each) => !withDependencies([each]).includes(profile))
    throw new CannotRun(
      `notApplicable waives ${waived}, without which the profile ${profile} cannot hold: no other check proves clause ${id}`,
      `Remove the waiver, or claim other profiles in the target file: ${rest.length === 0 ? 'none is left without it' : `profiles: [${rest.join(', ')}]`}`,
    )
  }
}

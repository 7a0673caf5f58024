import { checks } from 'polgate-conformance/checks/catalogue.ts'
import type { Check } from 'polgate-conformance/core/check.ts'
import { planned } from 'polgate-conformance/core/check.ts'
import { belongsTo, checkProfiles } from 'polgate-conformance/core/checkProfiles.ts'
import type { CheckFinished } from 'polgate-conformance/core/events.ts'
import { areExcepted } from 'polgate-conformance/core/profileProof.ts'
import { type Summary, summarise } from 'polgate-conformance/core/summary.ts'
import type { Profile } from 'polgate-conformance/register/profiles.ts'
import { nothingSeen } from 'polgate-conformance/runner/execute.ts'
import { claimOf, expectProvable } from 'polgate-conformance/targets/claim.ts'

/** A correct gateway that has some profiles, and how it is certified. */
export type PartialGateway = {
  readonly has: readonly Profile[]
  /** What its target file claims; absent: nothing is written there. */
  readonly claims?: readonly Profile[]
  readonly waives?: readonly string[]
  /** What its owner cannot give. */
  readonly lacks?: readonly string[]
  readonly selects?: (check: Check) => boolean
}

/** Of a gateway that does all that it has right: a check that calls anything else fails. */
function resultOf(check: Check, { has, waives = [], lacks = [] }: PartialGateway): CheckFinished {
  const base = {
    type: 'check-finished' as const,
    ...planned(check),
    ms: 1,
    ...nothingSeen(0),
    exchanges: 1,
  }
  const unmet = check.needs.filter((need) => waives.includes(need) || lacks.includes(need))
  const [first] = [...unmet.filter((need) => !areExcepted([need])), ...unmet]
  if (first !== undefined) {
    const verdict = waives.includes(first) ? 'not-applicable' : 'untestable'
    return { ...base, verdict, lacks: unmet, reason: `needs ${first}` }
  }
  const isServed = checkProfiles(check).every((profile) => has.includes(profile))
  return isServed ? { ...base, verdict: 'passed' } : { ...base, verdict: 'failed', reason: 'no' }
}

/**
 * The verdict on such a gateway, by the same functions that judge a run; `COULD NOT RUN` where the target file
 * is refused before it.
 */
export function verdictOn(gateway: PartialGateway): Pick<Summary, 'words' | 'isPart' | 'profiles'> {
  const { claims, waives = [], selects = () => true } = gateway
  const notApplicable = Object.fromEntries(waives.map((name) => [name, 'the gateway has none']))
  const declared = { notApplicable, ...(claims === undefined ? {} : { profiles: [...claims] }) }
  let claimed: readonly Profile[]
  try {
    claimed = claimOf(declared, undefined)
    expectProvable(claimed, declared, checks)
  } catch (error) {
    return { words: `COULD NOT RUN: ${(error as Error).message}`, isPart: false, profiles: [] }
  }
  const all = checks.filter((check) => belongsTo(check, claimed))
  const results = all.filter(selects).map((check) => resultOf(check, gateway))
  return summarise(results, {
    planned: results.length,
    of: all.length,
    claimed,
    interrupted: false,
    exchanges: results.length,
    refusals: 0,
  })
}

import { counted } from 'polgate-lib/text/counted.ts'
import type { Clause, Level } from '../register/clause.ts'
import { type Profile, profiles } from '../register/profiles.ts'
import { clauses as register } from '../register/register.ts'
import type { BaselineEntry, CheckFinished } from './events.ts'
import { areExcepted, commonestReason, type ProfileProof, profileProofs } from './profileProof.ts'
import { type ExitCode, type RunVerdict, runVerdicts, type Verdict } from './verdict.ts'

/** The effect of a baseline on a run. */
export type BaselineJudgement = {
  /** Checks that failed as expected: they do not decide the verdict. */
  readonly expected: ReadonlySet<string>
  /** Entries whose check passed: they would hide the next failure, so they fail the run. */
  readonly stale: readonly BaselineEntry[]
  /** Expired entries: their checks count again. */
  readonly expired: readonly BaselineEntry[]
}

/** The results of the checks of the gateway itself. */
export type OwnSummary = {
  readonly passed: number
  readonly failed: Readonly<Record<Level, number>>
  readonly untestable: number
  readonly notApplicable: number
  readonly total: number
}

/** Counts the checks of the suite; those of the gateway itself are counted in `own`. */
export type Summary = {
  readonly passed: number
  readonly failed: Readonly<Record<Level, number>>
  /** Failed checks that a baseline expects: they do not decide. */
  readonly expected: number
  readonly untestable: number
  readonly untestableMust: number
  readonly notApplicable: number
  readonly total: number
  /** Share of responses that rejected the key: a run of 401 alone proves nothing. */
  readonly refusedShare: number
  readonly verdict: RunVerdict
  /** The verdict as every report words it. */
  readonly words: string
  readonly code: ExitCode
  /** Checks of the claimed profiles were left out: nothing is certified, and no badge is written. */
  readonly isPart: boolean
  /** Why the code is not 0, or what the result excludes, in one line. */
  readonly reason: string | undefined
  /** What is proven of each claimed profile; empty for a part of the checks, which says nothing about one. */
  readonly profiles: readonly ProfileProof[]
  /** Absent where the run had none. */
  readonly own?: OwnSummary
}

export type RunFacts = {
  /** Checks of the suite that this run executes. */
  readonly planned: number
  /** All checks of the claimed profiles; as many as are planned by default. */
  readonly of?: number | undefined
  /** The profiles that the target claims; all by default. */
  readonly claimed?: readonly Profile[] | undefined
  /** The register by default. */
  readonly clauses?: readonly Clause[] | undefined
  /** Checks of the gateway itself. */
  readonly ownPlanned?: number | undefined
  readonly interrupted: boolean
  /** Errors outside any check. */
  readonly broken?: readonly string[] | undefined
  /** After how many failures the run was stopped, where it was. */
  readonly bail?: number | undefined
  readonly exchanges: number
  readonly refusals: number
  /** Judgement of the results by the baseline of the run. */
  readonly baseline?: BaselineJudgement | undefined
}

/** Above this share of 401 and 403 responses the keys are probably wrong. */
const vacuousShare = 0.9

const counter = (results: readonly CheckFinished[]) => (verdict: Verdict, level?: Level) =>
  results.filter((r) => r.verdict === verdict && (level === undefined || r.level === level)).length

const failuresOf = (count: ReturnType<typeof counter>): Readonly<Record<Level, number>> => ({
  must: count('failed', 'must'),
  should: count('failed', 'should'),
  may: count('failed', 'may'),
})

const grouped = (count: number) => count.toLocaleString('en-US')

/** A required check that could not be tested for a reason that its target or its user did not choose. */
const isUntested = ({ verdict, level, lacks, cut }: CheckFinished) =>
  verdict === 'untestable' && level === 'must' && cut === undefined && !areExcepted(lacks)

function untestedReason(untested: readonly CheckFinished[]): string {
  const timedOut = untested.filter(({ overload }) => overload !== undefined).length
  return timedOut === untested.length
    ? `${counted(timedOut, 'required check')} came too late to judge, on an overloaded machine`
    : `${counted(untested.length, 'required check was', 'required checks were')} untestable${timedOut > 0 ? `, ${timedOut} of them too late to judge, on an overloaded machine` : ''}`
}

function unprovenReason(proofs: readonly ProfileProof[]): string {
  const lacking = proofs.filter(({ unproven }) => unproven.length > 0)
  if (lacking.length === 0)
    return proofs
      .filter(({ proven }) => proven === 0)
      .map(({ profile }) => `${profile}: no clause is proven`)
      .join('; ')
  return lacking
    .map(({ profile, unproven, clauses }) => {
      const why = commonestReason(unproven)
      return `${profile}: ${unproven.length} of ${clauses} required clauses not proven, most of them because: ${why}`
    })
    .join('; ')
}

/** Ids listed beside a verdict; the rest is counted. */
const mostIds = 12

/** The required clauses that are not proven although the profiles hold. */
function exceptedReason(proofs: readonly ProfileProof[]): string | undefined {
  const ids = proofs.flatMap(({ excepted }) => excepted.map(({ clause }) => clause))
  if (ids.length === 0) return undefined
  const more = ids.length > mostIds ? ` and ${ids.length - mostIds} more` : ''
  const all = proofs.reduce((sum, { clauses }) => sum + clauses, 0)
  return `${ids.length} of ${all} required clauses are not proven, for want of a test environment or of an open form: ${ids.slice(0, mostIds).join(', ')}${more}`
}

/** Neither proven nor refuted by a failure. */
const isOpen = ({ unproven, proven, refuted }: ProfileProof): boolean =>
  unproven.length > 0 || (proven === 0 && refuted.length === 0)

type Decision = readonly [verdict: RunVerdict, reason?: string | undefined]

/**
 * The verdict of a run, for every command and every report. Nothing that did not run counts as passed. A
 * profile holds if each required clause of it is proven, and only all claimed profiles of a run of all their
 * checks make a target conformant. A required check of the gateway itself fails the run as one of the suite
 * does, but one that passes proves nothing of the specification.
 */
export function summarise(all: readonly CheckFinished[], facts: RunFacts): Summary {
  const results = all.filter(({ own }) => own === undefined)
  const ownResults = all.filter(({ own }) => own !== undefined)
  const { planned, of = planned, ownPlanned = 0, claimed = profiles, bail } = facts
  const count = counter(results)
  const countOwn = counter(ownResults)
  const failed = failuresOf(count)
  const ownFailed = failuresOf(countOwn)
  const passed = count('passed')
  const refusedShare = facts.exchanges === 0 ? 0 : facts.refusals / facts.exchanges
  const missing = planned + ownPlanned - all.length
  const isPart =
    planned < of ||
    results.some(({ cut }) => cut !== undefined) ||
    (bail !== undefined && missing > 0)
  const proofs = isPart ? [] : profileProofs(claimed, results, facts.clauses ?? register)
  const { expected = new Set(), stale = [], expired = [] } = facts.baseline ?? {}
  const known = all.filter((r) => r.verdict === 'failed' && expected.has(r.id))
  const knownMust = known.filter((r) => r.level === 'must')
  const newMust = failed.must - knownMust.filter(({ own }) => own === undefined).length
  const newOwn = ownFailed.must - knownMust.filter(({ own }) => own !== undefined).length
  const some = (entries: readonly { readonly check: string }[]) =>
    entries.map(({ check }) => check).join(', ')
  const lost = all.filter(({ outage }) => outage !== undefined).length
  const outage = `the gateway stopped answering: ${counted(lost, 'check has', 'checks have')} no result because of it`
  const untested = results.filter(isUntested)
  const stopped =
    bail === undefined
      ? undefined
      : `stopped by --bail ${bail}, ${counted(missing, 'check')} did not run`
  const ownFailures = `${counted(newOwn, 'required check')} of the gateway's own failed`
  const ownUntested = countOwn('untestable', 'must')
  const bad: RunVerdict = isPart ? 'selected-checks-failed' : 'not-conformant'
  const good = (): Decision => {
    if (ownUntested > 0)
      return [
        'inconclusive',
        `${counted(ownUntested, 'required check')} of the gateway's own ${ownUntested === 1 ? 'was' : 'were'} untestable`,
      ]
    if (planned === 0 && countOwn('passed') > 0)
      return ['own-checks-passed', 'no check of the specification ran']
    if (passed === 0) return ['inconclusive', 'nothing was proven']
    if (known.length > 0)
      return ['as-expected', `${counted(known.length, 'known failure')}, expected by the baseline`]
    if (isPart) return ['selected-checks-passed']
    return [
      claimed.length === profiles.length ? 'conformant' : 'conformant-to',
      exceptedReason(proofs),
    ]
  }
  const decide = (): Decision => {
    if (facts.interrupted)
      return ['interrupted', `interrupted, ${counted(missing, 'check')} did not run`]
    if (facts.broken !== undefined && facts.broken.length > 0)
      return ['could-not-run', `the suite itself is broken: ${facts.broken.join('; ')}`]
    if (facts.exchanges > 0 && refusedShare >= vacuousShare)
      return [
        'inconclusive',
        `${Math.round(refusedShare * 100)} % of the answers were 401 or 403: check the keys`,
      ]
    if (newMust > 0) {
      const holding = proofs.filter(({ holds }) => holds).map(({ profile }) => profile)
      return [
        bad,
        [
          `${counted(newMust, 'required check')} failed${known.length > 0 ? `, besides ${counted(known.length, 'known failure')}` : ''}`,
          ...(newOwn > 0 ? [ownFailures] : []),
          ...(stopped === undefined ? [] : [stopped]),
          ...(lost > 0 ? [outage] : []),
          ...(holding.length > 0 ? [`profiles that hold: ${holding.join(', ')}`] : []),
        ].join('; '),
      ]
    }
    if (newOwn > 0)
      return [
        'own-checks-failed',
        [ownFailures, ...(stopped === undefined ? [] : [stopped])].join('; '),
      ]
    if (lost > 0) return ['inconclusive', outage]
    if (stale.length > 0)
      return [bad, `the baseline expects failures that are fixed: ${some(stale)}`]
    if (expired.length > 0) return [bad, `baseline entries have expired: ${some(expired)}`]
    if (missing > 0)
      return ['inconclusive', stopped ?? `${counted(missing, 'check')} did not report`]
    if (isPart && untested.length > 0) return ['inconclusive', untestedReason(untested)]
    if (proofs.some(isOpen))
      return [
        'inconclusive',
        [
          unprovenReason(proofs),
          ...(untested.some(({ overload }) => overload) ? [untestedReason(untested)] : []),
        ].join('; '),
      ]
    return good()
  }
  const [verdict, reason] = decide()
  const tested = `${grouped(passed + failed.must + failed.should + failed.may)} of ${grouped(of)}`
  return {
    passed,
    failed,
    expected: known.length,
    untestable: count('untestable'),
    untestableMust: count('untestable', 'must'),
    notApplicable: count('not-applicable'),
    total: planned,
    refusedShare,
    verdict,
    words: wordsOf(verdict, { claimed, tested, known: known.length }),
    code: runVerdicts[verdict],
    isPart,
    reason,
    profiles: proofs,
    ...(ownPlanned === 0
      ? {}
      : {
          own: {
            passed: countOwn('passed'),
            failed: ownFailed,
            untestable: countOwn('untestable'),
            notApplicable: countOwn('not-applicable'),
            total: ownPlanned,
          },
        }),
  }
}

type Worded = {
  readonly claimed: readonly Profile[]
  /** How many of the checks ran. */
  readonly tested: string
  readonly known: number
}

function wordsOf(verdict: RunVerdict, { claimed, tested, known }: Worded): string {
  const words = verdict.replaceAll('-', ' ').toUpperCase()
  if (verdict === 'conformant-to') return `${words} ${claimed.join(', ')}`
  if (verdict === 'as-expected') return `${words} (${counted(known, 'known failure')})`
  return verdict.startsWith('selected-') ? `${words} (${tested})` : words
}

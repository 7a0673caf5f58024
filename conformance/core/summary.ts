import type { Level } from '../register/clause.ts'
import type { BaselineEntry, CheckFinished } from './events.ts'
import { type ExitCode, exitCode, type Verdict } from './verdict.ts'

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
  readonly code: ExitCode
  /** Why the code is not 0, or what the result excludes, in one line. */
  readonly reason: string | undefined
  /** Absent where the run had none. */
  readonly own?: OwnSummary
  /** The code says nothing about the specification: the gateway's own checks decided. */
  readonly decidedBy?: 'own'
}

export type RunFacts = {
  /** Checks of the suite. */
  readonly planned: number
  /** Checks of the gateway itself. */
  readonly ownPlanned?: number | undefined
  readonly interrupted: boolean
  /** Errors outside any check. */
  readonly broken?: readonly string[] | undefined
  /** After how many failures the run was stopped, where it was. */
  readonly bail?: number | undefined
  /** Features that the target declares and lacks. */
  readonly missingFeatures?: readonly string[] | undefined
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

/**
 * Computes the verdict of a run: nothing that did not run counts as passed. A required check of the
 * gateway itself fails the run as one of the suite does, but one that passes proves nothing of the
 * specification: a run of such checks alone is not called conformant.
 */
export function summarise(all: readonly CheckFinished[], facts: RunFacts): Summary {
  const results = all.filter(({ own }) => own === undefined)
  const ownResults = all.filter(({ own }) => own !== undefined)
  const ownPlanned = facts.ownPlanned ?? 0
  const ownAlone = facts.planned === 0 && ownPlanned > 0
  const count = counter(results)
  const countOwn = counter(ownResults)
  const failed = failuresOf(count)
  const ownFailed = failuresOf(countOwn)
  const passed = count('passed')
  const untestableMust = count('untestable', 'must')
  const refusedShare = facts.exchanges === 0 ? 0 : facts.refusals / facts.exchanges
  const missing = facts.planned + ownPlanned - all.length
  const { expected = new Set(), stale = [], expired = [] } = facts.baseline ?? {}
  const known = all.filter((r) => r.verdict === 'failed' && expected.has(r.id))
  const knownMust = known.filter((r) => r.level === 'must')
  const newMust = failed.must - knownMust.filter(({ own }) => own === undefined).length
  const newOwn = ownFailed.must - knownMust.filter(({ own }) => own !== undefined).length
  const some = (entries: readonly { readonly check: string }[]) =>
    entries.map(({ check }) => check).join(', ')
  const lost = all.filter(({ outage }) => outage !== undefined).length
  const outage = `the gateway stopped answering: ${lost} checks have no result because of it`
  const timedOut = results.filter(
    ({ overload, level }) => overload !== undefined && level === 'must',
  ).length
  const untested = () =>
    timedOut === untestableMust
      ? `${timedOut} required checks timed out on an overloaded machine, which proves nothing`
      : `${untestableMust} required checks were untestable${timedOut > 0 ? `, ${timedOut} of them timed out on an overloaded machine` : ''}`
  const stopped =
    facts.bail === undefined
      ? undefined
      : `stopped by --bail ${facts.bail}, ${missing} checks did not run`
  const ownFailures = `${newOwn} required checks of the gateway's own failed`
  const ownUntested = countOwn('untestable', 'must')
  const decide = (): readonly [ExitCode, string | undefined, decidedBy?: 'own'] => {
    if (facts.interrupted)
      return [exitCode.interrupted, `interrupted, ${missing} checks did not run`]
    if (facts.broken !== undefined && facts.broken.length > 0)
      return [exitCode.couldNotRun, `the suite itself is broken: ${facts.broken.join('; ')}`]
    if (facts.exchanges > 0 && refusedShare >= vacuousShare)
      return [
        exitCode.inconclusive,
        `${Math.round(refusedShare * 100)} % of the answers were 401 or 403: check the keys`,
      ]
    if (newMust > 0)
      return [
        exitCode.notConformant,
        [
          `${newMust} required checks failed${known.length > 0 ? `, besides ${known.length} known failures` : ''}`,
          ...(newOwn > 0 ? [ownFailures] : []),
          ...(stopped === undefined ? [] : [stopped]),
          ...(lost > 0 ? [outage] : []),
        ].join('; '),
      ]
    if (newOwn > 0)
      return [
        exitCode.notConformant,
        [ownFailures, ...(stopped === undefined ? [] : [stopped])].join('; '),
        'own',
      ]
    if (lost > 0) return [exitCode.inconclusive, outage]
    if (stale.length > 0)
      return [
        exitCode.notConformant,
        `the baseline expects failures that are fixed: ${some(stale)}`,
      ]
    if (expired.length > 0)
      return [exitCode.notConformant, `baseline entries have expired: ${some(expired)}`]
    const promised = facts.missingFeatures ?? []
    if (promised.length > 0)
      return [exitCode.notConformant, `declared but missing: ${promised.join(', ')}`]
    if (missing > 0) return [exitCode.inconclusive, stopped ?? `${missing} checks did not report`]
    if (untestableMust > 0) return [exitCode.inconclusive, untested()]
    if (ownUntested > 0)
      return [
        exitCode.inconclusive,
        `${ownUntested} required checks of the gateway's own were untestable`,
      ]
    if (ownAlone && countOwn('passed') > 0)
      return [exitCode.conformant, 'no check of the specification ran', 'own']
    if (passed === 0) return [exitCode.inconclusive, 'nothing was proven']
    return [
      exitCode.conformant,
      known.length > 0 ? `${known.length} known failures, expected by the baseline` : undefined,
    ]
  }
  const [code, reason, decidedBy] = decide()
  return {
    passed,
    failed,
    expected: known.length,
    untestable: count('untestable'),
    untestableMust,
    notApplicable: count('not-applicable'),
    total: facts.planned,
    refusedShare,
    code,
    reason,
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
    ...(decidedBy === undefined ? {} : { decidedBy }),
  }
}

import type { CheckFinished } from '../core/events.ts'
import type { Verdict } from '../core/verdict.ts'
import type { Report } from './report.ts'

/** The result of one check in two runs. */
export type Change = {
  readonly id: string
  readonly section: string
  readonly level: string
  /** Undefined if it was not planned, or did not report. */
  readonly before: Verdict | undefined
  readonly after: Verdict | undefined
  readonly reason?: string | undefined
}

export type Slower = {
  readonly id: string
  readonly before: number
  readonly after: number
  readonly ratio: number
}

export type Observed = {
  readonly id: string
  readonly clause: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** The differences of a second run. */
export type Comparison = {
  readonly newFailures: readonly Change[]
  readonly fixed: readonly Change[]
  readonly stillFailing: readonly Change[]
  /** Proven before, and now neither proven nor refuted. */
  readonly newlyUntested: readonly Change[]
  readonly newlyTested: readonly Change[]
  readonly slower: readonly Slower[]
  /** Observations on open points that differ: never a verdict. */
  readonly observations: readonly Observed[]
  readonly unchanged: number
}

/** A check is slower if it takes this many times as long, and at least this much longer. */
const slowRatio = 2
const slowFloorMs = 500

/** Removes values that differ in every run: ids, addresses, times, counts. */
const steady = (text: string): string =>
  text
    .replaceAll(/0x[0-9a-f]{8,}/gi, '0x…')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '…')
    .replaceAll(/\d+(\.\d+)?/g, 'n')

/** Observations that only one of the runs made. */
function saidOnlyBy(these: readonly string[] = [], those: readonly string[] = []) {
  const known = new Set(those.map(steady))
  return these.filter((text) => !known.has(steady(text)))
}

/** What a comparison needs of a report. */
export type Compared = Pick<Report, 'results'>

const resultsOf = ({ results }: Compared) => new Map(results.map((result) => [result.id, result]))

/** Compares the results of two runs per check. */
export function compareReports(a: Compared, b: Compared): Comparison {
  const before = resultsOf(a)
  const after = resultsOf(b)
  const changes = [...new Set([...before.keys(), ...after.keys()])].map((id) => {
    const [was, is] = [before.get(id), after.get(id)]
    const { section, level } = (is ?? was)!
    const reason = is?.verdict === 'passed' ? undefined : is?.reason
    const change: Change = { id, section, level, before: was?.verdict, after: is?.verdict, reason }
    return change
  })
  const decided = (verdict: Verdict | undefined) => verdict === 'passed' || verdict === 'failed'
  const where = (keep: (change: Change) => boolean) => changes.filter(keep)
  const both = (pick: (was: CheckFinished, is: CheckFinished) => boolean) =>
    changes.flatMap(({ id }) => {
      const [was, is] = [before.get(id), after.get(id)]
      return was !== undefined && is !== undefined && pick(was, is) ? [{ was, is }] : []
    })
  return {
    newFailures: where((c) => c.after === 'failed' && c.before !== 'failed'),
    fixed: where((c) => c.before === 'failed' && c.after === 'passed'),
    stillFailing: where((c) => c.before === 'failed' && c.after === 'failed'),
    newlyUntested: where((c) => decided(c.before) && !decided(c.after)),
    newlyTested: where((c) => !decided(c.before) && c.after === 'passed'),
    slower: both(
      (was, is) =>
        decided(was.verdict) &&
        decided(is.verdict) &&
        is.ms >= was.ms * slowRatio &&
        is.ms - was.ms >= slowFloorMs,
    )
      .map(({ was, is }) => ({
        id: is.id,
        before: was.ms,
        after: is.ms,
        ratio: Math.round((is.ms / Math.max(1, was.ms)) * 10) / 10,
      }))
      .sort((x, y) => y.after - y.before - (x.after - x.before)),
    observations: both((was, is) => decided(was.verdict) && decided(is.verdict))
      .map(({ was, is }) => ({
        id: is.id,
        clause: is.clauses[0] ?? is.section,
        before: saidOnlyBy(was.observations, is.observations),
        after: saidOnlyBy(is.observations, was.observations),
      }))
      .filter(({ before, after }) => before.length + after.length > 0),
    unchanged: where((c) => c.before === c.after && c.before !== 'failed').length,
  }
}

/** Whether the second run is worse: a new failure or a lost proof. */
export const isWorse = ({ newFailures, newlyUntested }: Comparison): boolean =>
  newFailures.length > 0 || newlyUntested.some(({ before }) => before === 'passed')

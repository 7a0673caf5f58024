import { judgeBaseline } from '../baseline/judgeBaseline.ts'
import type {
  CheckFinished,
  MatrixCases,
  PlannedCheck,
  RunEvent,
  RunFinished,
  RunStarted,
} from '../core/events.ts'
import { type Summary, summarise } from '../core/summary.ts'
import type { Clause } from '../register/clause.ts'
import { clauses as register } from '../register/register.ts'
import { type FailureGroup, failureGroups } from './failureGroups.ts'
import { grouped } from './groups.ts'
import { type Outage, outagesOf } from './outages.ts'

/** A run as reports see it: a pure function of the event log and of the register. */
export type Report = {
  readonly started: RunStarted
  readonly results: readonly CheckFinished[]
  /** Planned, without a result: they prove nothing, and the run is incomplete. */
  readonly unreported: readonly PlannedCheck[]
  /** Absent if the log ends before the run did. */
  readonly finished: RunFinished | undefined
  readonly summary: Summary
  readonly score: Score
  readonly coverage: Coverage
  /** Cases of the parameter matrix that the run tried; absent if it ran none of its checks. */
  readonly matrix?: MatrixCoverage
  readonly clauses: readonly Clause[]
  /** The failed checks by cause. */
  readonly groups: readonly FailureGroup[]
  /** Times at which the gateway stopped answering. */
  readonly outages: readonly Outage[]
}

/** What a run could have proven, and what it proved: untestable never counts as proven. */
export type Score = {
  readonly planned: number
  /** Planned checks except those that the target cannot support or waives. */
  readonly provable: number
  readonly proven: number
}

/** Share of the register that a run has proven. */
export type Coverage = {
  readonly clauses: number
  /** Clauses with at least one passed check and no failed one. */
  readonly proven: number
  readonly refuted: readonly string[]
  /** Clauses with a written reason instead of a check. */
  readonly reasoned: number
  /** The same per section, or per numbered item of a section: those with checks in the run. */
  readonly sections: readonly SectionCoverage[]
}

/** A case is a method, a parameter and a rule that its value breaks. */
export type MatrixCoverage = MatrixCases & { readonly full: boolean }

export type SectionCoverage = {
  readonly section: string
  readonly clauses: number
  readonly proven: number
  readonly reasoned: number
}

/** Sections in the order of the specification: 2.9 before 2.10. */
export function bySection(a: string, b: string): number {
  if (!numbers.test(a) || !numbers.test(b)) {
    collator ??= new Intl.Collator('en', { numeric: true })
    return collator.compare(a, b)
  }
  const [left, right] = [a.split('.'), b.split('.')]
  const at = left.findIndex((part, i) => Number(part) !== Number(right[i] ?? -1))
  return at === -1 ? left.length - right.length : Number(left[at]) - Number(right[at] ?? -1)
}
const numbers = /^\d{1,9}(\.\d{1,9})*$/
/** Made when it is needed: it takes several milliseconds. */
let collator: Intl.Collator | undefined

function coverageOf(
  results: readonly CheckFinished[],
  clauses: readonly Clause[],
  asked: ReadonlySet<string>,
): Coverage {
  const with_ = (verdict: string) =>
    new Set(results.filter((r) => r.verdict === verdict).flatMap((r) => r.clauses))
  const passed = with_('passed')
  const failed = with_('failed')
  const count = (some: readonly Clause[]) => ({
    clauses: some.length,
    proven: some.filter((c) => passed.has(c.id) && !failed.has(c.id)).length,
    reasoned: some.filter((c) => c.noCheck !== undefined).length,
  })
  const sections = grouped(clauses, ({ item, section }) => item ?? section)
  return {
    ...count(clauses),
    refuted: clauses.filter((c) => failed.has(c.id)).map((c) => c.id),
    sections: [...sections]
      .filter(([, some]) => some.some(({ id }) => asked.has(id)))
      .sort(([a], [b]) => bySection(a, b))
      .map(([section, some]) => ({ section, ...count(some) })),
  }
}

function matrixOf(
  started: RunStarted,
  results: readonly CheckFinished[],
): { readonly matrix?: MatrixCoverage } {
  const cases = results.flatMap(({ matrix }) => matrix ?? [])
  if (cases.length === 0) return {}
  const sum = (pick: (each: MatrixCases) => number) => cases.reduce((n, each) => n + pick(each), 0)
  const matrix = {
    tried: sum(({ tried }) => tried),
    of: sum(({ of }) => of),
    full: started.fullMatrix ?? false,
  }
  return { matrix }
}

/** The coverage of the parameter matrix, in one line. */
export const matrixText = ({ tried, of, full }: MatrixCoverage): string =>
  `${tried} of ${of} malformed values tried${full ? '' : ': every two of method, parameter and rule'}`

/** Builds a report from a log. Throws if the log has no start. */
export function reportOf(
  events: readonly RunEvent[],
  clauses: readonly Clause[] = register,
): Report {
  const started = events.find((e) => e.type === 'run-started')
  if (started === undefined) throw new Error('the event log has no run-started event')
  const results = events.filter((e) => e.type === 'check-finished')
  const finished = events.find((e) => e.type === 'run-finished')
  const isOwn = ({ own }: PlannedCheck) => own !== undefined
  const ownPlanned = started.checks.filter(isOwn).length
  // A gateway's own checks may be about refusals: they do not make a run of the suite vacuous.
  const judged =
    ownPlanned === started.checks.length ? results : results.filter((result) => !isOwn(result))
  const sum = (pick: (r: CheckFinished) => number) => judged.reduce((n, r) => n + pick(r), 0)
  const summary = summarise(results, {
    planned: started.checks.length - ownPlanned,
    ownPlanned,
    interrupted: finished?.interrupted ?? true,
    broken: finished?.broken,
    bail: finished?.bail,
    of: started.of,
    claimed: started.profiles,
    clauses,
    exchanges: sum((r) => r.exchanges),
    refusals: sum((r) => r.refusals),
    baseline: judgeBaseline(started.baseline ?? [], results, started.at),
  })
  const reported = new Set(results.map((r) => r.id))
  return {
    started,
    results,
    unreported: started.checks.filter((check) => !reported.has(check.id)),
    finished,
    summary,
    score: {
      planned: summary.total,
      provable: summary.total - summary.untestable - summary.notApplicable,
      proven: summary.passed,
    },
    coverage: coverageOf(results, clauses, new Set(results.flatMap((r) => r.clauses))),
    ...matrixOf(started, results),
    clauses,
    groups: failureGroups(results),
    outages: outagesOf(started, results),
  }
}

/** The same run without the checks of the gateway itself: what it says about the specification. */
export function ofSpecification(report: Report): Report {
  const { started, results, finished, clauses } = report
  const isOfSuite = ({ own }: PlannedCheck) => own === undefined
  if (started.checks.every(isOfSuite) && results.every(isOfSuite)) return report
  return reportOf(
    [
      { ...started, checks: started.checks.filter(isOfSuite) },
      ...results.filter(isOfSuite),
      ...(finished === undefined ? [] : [finished]),
    ],
    clauses,
  )
}

/** Whether the run finished: a report of an incomplete one states that first. */
export const isComplete = (report: Report): boolean =>
  report.finished !== undefined && !report.finished.interrupted

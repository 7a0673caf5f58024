import { describedChecks } from '../checks/described.ts'
import { type CheckInfo, sectionOf } from '../core/check.ts'
import { expectedMs } from '../core/durations.ts'

/**
 * Which checks run against a mutant. `first`: those that cite a violated clause, until the fault is
 * detected for each clause. `cited`: all of those. `sections`: also the quick checks of the same
 * sections, which distinguish faults that violate the same clause.
 */
export type TrialScope = 'first' | 'cited' | 'sections'

const cites = (check: CheckInfo, clauses: readonly string[]) =>
  check.clauses.some((clause) => clauses.includes(clause))

/** Checks of the same section only improve the fingerprint: they must be cheap. */
const isQuick = (check: CheckInfo) => !check.exclusive && expectedMs(check) <= 500

/** The checks to run for a mutant of these clauses, the quickest first. */
export const requestsOf = (clauses: readonly string[], asking: TrialScope): readonly CheckInfo[] =>
  askedAmong(describedChecks, clauses, asking)

/** The same among checks that can be run. */
export function askedAmong<C extends CheckInfo>(
  checks: readonly C[],
  clauses: readonly string[],
  asking: TrialScope,
): readonly C[] {
  const sections = new Set(clauses.map((clause) => clause.split('-')[0]))
  return checks
    .filter(
      (check) =>
        cites(check, clauses) ||
        (asking === 'sections' && sections.has(sectionOf(check)) && isQuick(check)),
    )
    .sort((a, b) => expectedMs(a) - expectedMs(b))
}

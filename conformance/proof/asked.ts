import { checks } from '../checks/catalogue.ts'
import { type Check, sectionOf } from '../core/check.ts'
import { expectedMs } from '../core/durations.ts'

/**
 * Which checks a mutant is asked: `first`: those that cite what it breaks, until the fault is found
 * for each clause. `cited`: all of those. `sections`: the quick checks of the same sections too,
 * which tell one fault from another that breaks the same clause.
 */
export type Asking = 'first' | 'cited' | 'sections'

const cites = (check: Check, clauses: readonly string[]) =>
  check.clauses.some((clause) => clauses.includes(clause))

/** One of the same section is asked for the likeness alone: it has to be worth its time. */
const isQuick = (check: Check) => !check.exclusive && expectedMs(check) <= 500

/** The checks that a mutant of these clauses is asked, the quickest first. */
export const askedOf = (clauses: readonly string[], asking: Asking): readonly Check[] => {
  const sections = new Set(clauses.map((clause) => clause.split('-')[0]))
  return checks
    .filter(
      (check) =>
        cites(check, clauses) ||
        (asking === 'sections' && sections.has(sectionOf(check)) && isQuick(check)),
    )
    .sort((a, b) => expectedMs(a) - expectedMs(b))
}

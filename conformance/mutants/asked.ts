import { checks } from '../checks/catalogue.ts'
import { type Check, sectionOf } from '../runner/check.ts'

/**
 * Which checks a mutant is asked: `first`: those that cite what it breaks, until the fault is found
 * for each clause. `cited`: all of those. `sections`: all checks of the same sections, which tell
 * one fault from another that breaks the same clause.
 */
export type Asking = 'first' | 'cited' | 'sections'

const cites = (check: Check, clauses: readonly string[]) =>
  check.clauses.some((clause) => clauses.includes(clause))

/** The checks that a mutant of these clauses is asked. */
export const askedOf = (clauses: readonly string[], asking: Asking): readonly Check[] => {
  const sections = new Set(clauses.map((clause) => clause.split('-')[0]))
  return checks.filter(
    (check) => cites(check, clauses) || (asking === 'sections' && sections.has(sectionOf(check))),
  )
}

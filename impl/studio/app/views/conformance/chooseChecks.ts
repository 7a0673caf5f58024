import type {
  ConformanceCheck,
  ConformanceSelection,
} from 'polgate-protocol/control/conformance.ts'

export type Filter = {
  /** Found in the id or the title, in any letter case. */
  readonly text: string
  /** A section or the id of a clause. */
  readonly clause: string
  readonly level: string
}

const ofClause = ({ clauses, section }: ConformanceCheck, clause: string): boolean =>
  clauses.includes(clause) || section === clause || section.startsWith(`${clause}.`)

/** The checks that a filter names, in the order of the specification. */
export function filterChecks(
  checks: readonly ConformanceCheck[],
  { text, clause, level }: Filter,
): readonly ConformanceCheck[] {
  const wanted = text.trim().toLowerCase()
  const place = clause.trim()
  return checks.filter(
    (check) =>
      (wanted === '' || `${check.id} ${check.title}`.toLowerCase().includes(wanted)) &&
      (place === '' || ofClause(check, place)) &&
      (level === '' || check.level === level),
  )
}

export type CheckGroup = {
  readonly section: string
  readonly checks: readonly ConformanceCheck[]
}

/** Checks by section, in the order of the specification. */
export const groupsOf = (checks: readonly ConformanceCheck[]): readonly CheckGroup[] =>
  [...new Set(checks.map(({ section }) => section))]
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((section) => ({ section, checks: checks.filter((each) => each.section === section) }))

/**
 * What starts these checks: nothing where all of them are meant, the clause where it says the same, which
 * makes a command that is easy to repeat; else every id.
 */
export function selectionOf(
  chosen: readonly ConformanceCheck[],
  all: readonly ConformanceCheck[],
  { text, clause, level }: Filter,
): ConformanceSelection {
  if (chosen.length === all.length) return {}
  const place = clause.trim()
  const isClause = all.some(({ clauses, section }) => section === place || clauses.includes(place))
  const isFiltered = chosen.length === filterChecks(all, { text: '', clause, level }).length
  if (text.trim() === '' && isClause && isFiltered)
    return { clause: place, ...(level === '' ? {} : { level: level as ConformanceCheck['level'] }) }
  return { only: chosen.map(({ id }) => id) }
}

/** What these checks leave on the target, each once. */
export const effectsOf = (checks: readonly ConformanceCheck[]): readonly string[] => [
  ...new Set(checks.flatMap(({ writes }) => writes)),
]

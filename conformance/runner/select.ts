import { clauses as register } from '../register/register.ts'
import { type Check, sectionOf } from './check.ts'
import { CannotRun } from './conformanceError.ts'

export type Selection = {
  /** Regular expressions over id and title; a check is chosen when one matches. */
  readonly grep?: readonly string[] | undefined
  /** Sections, numbered items of one, or clause ids: `4.2`, `7`, `1.3`, `4.2-07`. */
  readonly clause?: readonly string[] | undefined
}

/** Letters to change between two words. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}

/** The name most like the one that was not found. */
export const nearest = (word: string, names: readonly string[]): string | undefined =>
  [...names].sort((a, b) => distance(word, a) - distance(word, b))[0]

const itemOf = new Map(register.map(({ id, item }) => [id, item]))

const ofClause = (check: Check, wanted: string) =>
  check.clauses.some((id) => {
    const section = id.split('-')[0]!
    if (itemOf.get(id) === wanted) return true
    return id === wanted || section === wanted || section.startsWith(`${wanted}.`)
  })

/**
 * The checks that a selection names. A filter that matches nothing is an error, with the nearest
 * name: a run of nothing must not look like a run without findings.
 */
export const selectChecks = (checks: readonly Check[], selection: Selection): readonly Check[] => {
  const greps = (selection.grep ?? []).map((pattern) => {
    let expression: RegExp
    try {
      expression = new RegExp(pattern, 'i')
    } catch (cause) {
      throw new CannotRun(`--grep '${pattern}' is no regular expression`, undefined, cause)
    }
    if (!checks.some((c) => expression.test(c.id) || expression.test(c.title)))
      throw new CannotRun(
        `--grep '${pattern}' matches no check`,
        `Did you mean '${nearest(
          pattern,
          checks.map((c) => c.id),
        )}'? List them with --list.`,
      )
    return expression
  })
  const clauses = selection.clause ?? []
  for (const wanted of clauses)
    if (!checks.some((c) => ofClause(c, wanted))) {
      const names = checks.flatMap((c) => [sectionOf(c), ...c.clauses])
      throw new CannotRun(
        `--clause '${wanted}' matches no check`,
        `Did you mean '${nearest(wanted, names)}'? List them with --list.`,
      )
    }
  const chosen = checks.filter(
    (check) =>
      (greps.length === 0 || greps.some((g) => g.test(check.id) || g.test(check.title))) &&
      (clauses.length === 0 || clauses.some((wanted) => ofClause(check, wanted))),
  )
  if (chosen.length === 0)
    throw new CannotRun('--grep and --clause together match no check', 'Drop one of them.')
  return chosen
}

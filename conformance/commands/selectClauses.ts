import { CannotRun } from '../core/conformanceError.ts'
import { nearest } from '../core/select.ts'
import type { Clause, Level } from '../register/clause.ts'
import { clauses } from '../register/register.ts'

export type ClauseSelection = {
  /** Sections, numbered items of a section, or ids: `4.2`, `7`, `1.3`, `4.2-07`. */
  readonly clause?: readonly string[] | undefined
  readonly level?: readonly string[] | undefined
  /** Only clauses that the specification leaves open. */
  readonly open?: boolean | undefined
}

const levels: readonly Level[] = ['must', 'should', 'may']

const named = ({ id, section, item }: Clause, wanted: string) =>
  id === wanted || item === wanted || section === wanted || section.startsWith(`${wanted}.`)

/** The selected clauses. A name that matches none is an error that suggests the nearest name. */
export function selectClauses(selection: ClauseSelection): readonly Clause[] {
  const wanted = selection.clause ?? []
  for (const name of wanted)
    if (!clauses.some((clause) => named(clause, name)))
      throw new CannotRun(
        `unknown clause '${name}'`,
        `Did you mean '${nearest(
          name,
          clauses.flatMap(({ id, section }) => [id, section]),
        )}'?`,
      )
  for (const level of selection.level ?? [])
    if (!levels.some((known) => known === level))
      throw new CannotRun(`unknown level '${level}'`, `Did you mean '${nearest(level, levels)}'?`)
  return clauses.filter(
    (clause) =>
      (wanted.length === 0 || wanted.some((name) => named(clause, name))) &&
      (selection.level === undefined || selection.level.includes(clause.level)) &&
      (!selection.open || clause.open === true),
  )
}

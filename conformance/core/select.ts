import type { Level } from '../register/clause.ts'
import { clauses as register } from '../register/register.ts'
import { type CheckInfo, sectionOf } from './check.ts'
import { CannotRun } from './conformanceError.ts'
import { type TaggedCheck, tags, tagsOf } from './tags.ts'

type Names = readonly string[] | undefined

export type Selection = {
  /** Regular expressions over id and title; a check is selected if one matches. */
  readonly grep?: Names
  /** The same, for checks that are excluded. */
  readonly exclude?: Names
  /** Sections, numbered items of a section, or clause ids: `4.2`, `7`, `1.3`, `4.2-07`. */
  readonly clause?: Names
  /** Tags, of which a check must have at least one. */
  readonly tag?: Names
  /** Tags, of which a check must have none. */
  readonly excludeTag?: Names
  readonly level?: Names
  /** Exactly these ids, further narrowed by the other filters. */
  readonly only?: Names
}

const levels: readonly Level[] = ['must', 'should', 'may']

/** Edit distance of two words. */
function distance(a: string, b: string): number {
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

/** The name most similar to the one that was not found. */
export const nearest = (word: string, names: readonly string[]): string | undefined =>
  [...names].sort((a, b) => distance(word, a) - distance(word, b))[0]

const itemOf = new Map(register.map(({ id, item }) => [id, item]))

const ofClause = (check: CheckInfo, wanted: string) =>
  check.clauses.some((id) => {
    const section = id.split('-')[0]!
    if (itemOf.get(id) === wanted) return true
    return id === wanted || section === wanted || section.startsWith(`${wanted}.`)
  })

function expressionOf(flag: string, pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'i')
  } catch (cause) {
    throw new CannotRun(`--${flag} '${pattern}' is not a regular expression`, undefined, cause)
  }
}

/** One filter: how its value is parsed, and which names exist. */
type Filter = {
  readonly flag: 'grep' | 'exclude' | 'clause' | 'tag' | 'excludeTag' | 'level' | 'only'
  readonly matches: (value: string) => (check: TaggedCheck) => boolean
  readonly names: (checks: readonly CheckInfo[]) => readonly string[]
}

const byPattern = (flag: 'grep' | 'exclude'): Filter => ({
  flag,
  matches: (pattern) => {
    const expression = expressionOf(flag, pattern)
    return (check) => expression.test(check.id) || expression.test(check.title)
  },
  names: (checks) => checks.map(({ id }) => id),
})

const byTag = (flag: 'tag' | 'excludeTag'): Filter => ({
  flag,
  matches: (wanted) => (check) => tagsOf(check).some((tag) => tag === wanted),
  names: () => tags,
})

/** As it is written on the command line. */
const shownFlag = (flag: Filter['flag']): string =>
  flag === 'excludeTag' ? '--exclude-tag' : `--${flag}`

const filters: readonly Filter[] = [
  byPattern('grep'),
  {
    flag: 'clause',
    matches: (wanted) => (check) => ofClause(check, wanted),
    names: (checks) => checks.flatMap((check) => [sectionOf(check), ...check.clauses]),
  },
  byTag('tag'),
  {
    flag: 'level',
    matches: (wanted) => (check) => check.level === wanted,
    names: () => levels,
  },
  {
    flag: 'only',
    matches: (wanted) => (check) => check.id === wanted,
    names: (checks) => checks.map(({ id }) => id),
  },
]
const leavingOut: readonly Filter[] = [byPattern('exclude'), byTag('excludeTag')]

/**
 * The checks that a selection names: one value of each given filter must match. A value that
 * matches nothing is an error with the nearest name: an empty run must not look like a run without
 * findings.
 */
export function selectChecks<C extends TaggedCheck>(
  checks: readonly C[],
  selection: Selection,
): readonly C[] {
  const tests = ({ flag, matches, names }: Filter) =>
    (selection[flag] ?? []).map((value) => {
      const test = matches(value)
      if (!checks.some(test))
        throw new CannotRun(
          `${shownFlag(flag)} '${value}' matches no check`,
          `Did you mean '${nearest(value, names(checks))}'? polgate list shows them.`,
        )
      return test
    })
  const wanted = filters.map((filter) => tests(filter)).filter((some) => some.length > 0)
  const unwanted = leavingOut.flatMap((filter) => tests(filter))
  const chosen = checks.filter(
    (check) =>
      wanted.every((some) => some.some((test) => test(check))) &&
      !unwanted.some((test) => test(check)),
  )
  if (chosen.length === 0)
    throw new CannotRun(
      `${given(selection)} together match no check`,
      'Remove one of them; polgate list shows what remains.',
    )
  return chosen
}

const given = (selection: Selection): string =>
  [...filters, ...leavingOut]
    .filter(({ flag }) => (selection[flag] ?? []).length > 0)
    .map(({ flag }) => shownFlag(flag))
    .join(' and ')

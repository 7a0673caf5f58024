import type { CheckFinished } from '../core/events.ts'
import type { Level } from '../register/clause.ts'
import { type DeviationKind, deviationOf } from './deviation.ts'

/** Failures of one cause, in the order of the run. */
export type FailureGroup = {
  /** The cause in one line. */
  readonly cause: string
  /** What the failures have in common. */
  readonly kind: DeviationKind
  /** The strongest of their levels. */
  readonly level: Level
  /** The clauses that the checks are about, the first that each cites, in the order of the run. */
  readonly clauses: readonly string[]
  readonly results: readonly [CheckFinished, ...CheckFinished[]]
}

const levels: readonly Level[] = ['must', 'should', 'may']

type Member = {
  readonly index: number
  readonly result: CheckFinished
  readonly kind: DeviationKind
  readonly text: string
}

/**
 * The failed checks by cause: those of required checks first, then the most frequent; one failure alone
 * is a group too. Two failures have the same cause if they deviate in the same way (`deviationOf`), or
 * if their checks are about the same clause and the same members of the answer differ, or if a third
 * has the same cause as both. All of a group have deviations of one kind. The order of the results
 * changes no group.
 */
export function failureGroups(results: readonly CheckFinished[]): readonly FailureGroup[] {
  const groups = new Map<string, Member[]>()
  for (const [index, result] of results.entries()) {
    if (result.verdict !== 'failed') continue
    const { kind, key, form, text } = deviationOf(result)
    const member: Member = { index, result, kind, text }
    const keys = [
      `${kind} ${key}`,
      // The first clause is the one that a check is about.
      ...(form === undefined ? [] : [`clause ${result.clauses[0]} ${form}`]),
    ]
    const same = new Set(keys.flatMap((each) => groups.get(each) ?? []))
    joined(groups, keys, [...same, member])
  }
  return [...new Set(groups.values())]
    .map((members) => members.toSorted((a, b) => a.index - b.index))
    .sort((a, b) => rankOf(a) - rankOf(b) || b.length - a.length || a[0]!.index - b[0]!.index)
    .map(groupOf)
}

/** Makes one group of these members, under their keys and under all that their groups had before. */
function joined(groups: Map<string, Member[]>, keys: readonly string[], members: Member[]): void {
  const before = new Set(keys.map((key) => groups.get(key)))
  for (const key of keys) groups.set(key, members)
  for (const [key, some] of groups) if (before.has(some)) groups.set(key, members)
}

const rankOf = (members: readonly Member[]): number =>
  Math.min(...members.map(({ result }) => levels.indexOf(result.level)))

const longestShown = 40

/** The finding as a check words it where all word it the same way, with what was observed if that is short. */
function findingText(members: readonly Member[]): string {
  const [{ result: first, text }] = members as readonly [Member, ...Member[]]
  const { reason, expected = '', observed = '' } = first
  const isShared = (pick: (result: CheckFinished) => string | undefined) =>
    members.every(({ result }) => pick(result) === pick(first))
  const what = reason !== undefined && isShared((result) => result.reason) ? reason : text
  const isShort = [expected, observed].every((side) => side !== '' && side.length <= longestShown)
  return isShort && isShared((result) => `${result.expected}\n${result.observed}`)
    ? `${what}: ${observed} instead of ${expected}`
    : what
}

function groupOf(members: readonly Member[]): FailureGroup {
  const [first, ...rest] = members as readonly [Member, ...Member[]]
  return {
    cause: first.kind === 'text' ? findingText(members) : first.text,
    kind: first.kind,
    level: levels[rankOf(members)] ?? 'may',
    clauses: [...new Set(members.flatMap(({ result }) => result.clauses.slice(0, 1)))],
    results: [first.result, ...rest.map(({ result }) => result)],
  }
}

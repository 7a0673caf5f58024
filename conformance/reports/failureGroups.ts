import type { CheckFinished } from '../core/events.ts'
import { readablePair } from '../core/shorten.ts'
import type { Level } from '../register/clause.ts'
import { type Deviation, type DeviationKind, deviationOf } from './deviation.ts'
import { normalised } from './normalised.ts'

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
  readonly deviation: Deviation
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
    const deviation = deviationOf(result)
    const { kind, key, form } = deviation
    const member: Member = { index, result, deviation }
    // The first clause is the one that a check is about; a gateway's own check has none.
    const [clause] = result.clauses
    const keys = [
      `${kind} ${key}`,
      ...(form === undefined || clause === undefined ? [] : [`clause ${clause} ${form}`]),
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

/** Characters of what was expected or observed, in a heading. */
const longestShown = 80
/** Calls that a heading names. */
const mostCalls = 2

/** The methods, paths, topics or webhooks that the failures are about: each once, whatever ids it contains. */
function callsText(members: readonly Member[]): string {
  const byForm = new Map(
    members.flatMap(({ result: { call } }) =>
      call === undefined
        ? []
        : [[normalised(call.replaceAll(/[\w-]{20,}/g, '<id>')), call] as const],
    ),
  )
  const calls = [...byForm.values()]
  const rest = calls.length - mostCalls
  return calls.slice(0, mostCalls).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

type Picked<T> = (member: Member) => T

/** The same of all failures, else undefined. */
function shared<T>(members: readonly Member[], pick: Picked<T>): T | undefined {
  const first = pick(members[0]!)
  return members.every((member) => pick(member) === first) ? first : undefined
}

/** `testnet instead of mainnet`. */
function sidesText({ result: { expected = '', observed = '' } }: Member): string | undefined {
  if (expected === '' || observed === '') return undefined
  const [is, was] = readablePair(observed, expected, longestShown)
  return `${is} instead of ${was}`
}

/** A request without an answer: the reason names what was observed. */
const saysAlready = (what: string, { expected = '', observed = '' }: CheckFinished) =>
  /^answers? |^an answer/.test(expected) &&
  what.includes(observed.replace(/^none: /, '').replace(/\.$/, ''))

/** The finding as a check words it, with what was observed if that is short: of the first failure where they differ. */
function findingText(members: readonly Member[]): string {
  const [first] = members as readonly [Member, ...Member[]]
  const text = shared(members, ({ deviation }) => deviation.text) ?? first.deviation.general
  // What to do about an error follows in sentences of its own.
  const what = text.split(/\.(?:$|\s(?=[A-Z]))/)[0]!
  const sides = sidesText(first)
  if (sides === undefined || saysAlready(what, first.result)) return what
  return shared(members, sidesText) === undefined
    ? `${what}, such as ${sides}`
    : `${what}: ${sides}`
}

/** What deviates, with the values of the first failure where they differ. */
function deviationText(members: readonly Member[]): string {
  const [{ deviation: first }] = members as readonly [Member, ...Member[]]
  if (first.kind === 'text') return findingText(members)
  const same = shared(members, ({ deviation }) => deviation.text)
  if (first.kind !== 'members') return same ?? first.general
  const reason = shared(members, ({ result }) => result.reason)
  const text = same ?? `${first.general}, such as ${first.text}`
  return reason === undefined ? text : `${reason}: ${text}`
}

function causeOf(members: readonly Member[]): string {
  const [calls, text] = [callsText(members), deviationText(members)]
  // A check may name what it called.
  return calls === '' || text.includes(calls) ? text : `${calls}: ${text}`
}

function groupOf(members: readonly Member[]): FailureGroup {
  const [first, ...rest] = members as readonly [Member, ...Member[]]
  return {
    cause: causeOf(members),
    kind: first.deviation.kind,
    level: levels[rankOf(members)] ?? 'may',
    clauses: [...new Set(members.flatMap(({ result }) => result.clauses.slice(0, 1)))],
    results: [first.result, ...rest.map(({ result }) => result)],
  }
}

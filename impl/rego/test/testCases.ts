import { stringify } from '../values/json.ts'
import { isArray, isObject, type Value } from '../values/value.ts'

/** One case of a parameterized test, or several of one part of their names. */
export type TestCase = {
  readonly name: string
  readonly passed: boolean
  readonly cases: readonly TestCase[]
}

type Entry = { failed: boolean; readonly below: Entries }
type Entries = Map<string, Entry>

/**
 * The cases of a parameterized test: those that its value has, and those that were announced and have no value,
 * which failed. Every value other than `true` is a failure.
 */
export function testCases(
  value: Value | undefined,
  announced: readonly Value[],
): readonly TestCase[] {
  const entries: Entries = new Map()
  addValue(entries, value)
  for (const path of announced) if (isArray(path)) announce(entries, path.map(partText))
  return listed(entries)
}

/** All cases without cases of their own, with the names of those that they are in: `outer/inner`. */
export const leafCases = (
  cases: readonly TestCase[],
  prefix = '',
): readonly { readonly name: string; readonly passed: boolean }[] =>
  cases.flatMap(({ name, passed, cases: inner }) =>
    inner.length === 0
      ? [{ name: `${prefix}${name}`, passed }]
      : leafCases(inner, `${prefix}${name}/`),
  )

function addValue(into: Entries, value: Value | undefined): boolean {
  if (value === undefined || !isObject(value)) return false
  let failed = false
  for (const [key, each] of value.entries()) {
    const below: Entries = new Map()
    const own = isObject(each) ? addValue(below, each) : each !== true
    into.set(partText(key), { failed: own, below })
    failed ||= own
  }
  return failed
}

/** Adds a case unless it is known; returns whether it failed. */
function announce(into: Entries, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true
  let entry = into.get(name)
  if (entry === undefined) {
    entry = { failed: true, below: new Map() }
    into.set(name, entry)
  }
  if (rest.length === 0) return entry.failed
  const failed = announce(entry.below, rest)
  if (failed) entry.failed = true
  return failed
}

const listed = (entries: Entries): readonly TestCase[] =>
  [...entries]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { failed, below }]) => ({ name, passed: !failed, cases: listed(below) }))

/** A part of a name as a key of JSON. */
const partText = (part: Value): string => (typeof part === 'string' ? part : stringify(part))

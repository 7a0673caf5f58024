import { declaredCapabilities } from '../core/check.ts'
import { CannotRun } from '../core/conformanceError.ts'
import { nearest } from '../core/select.ts'
import type { TaggedCheck } from '../core/tags.ts'
import type { OwnCheck } from './ownCheck.ts'

const idPattern = /^[a-z][a-z0-9-]*(\.[A-Za-z0-9][A-Za-z0-9_-]*)+$/
const longestId = 120
const longestText = 500
const levels = ['must', 'should', 'may']
const members = ['id', 'title', 'level', 'clause', 'needs', 'twin', 'exclusive', 'run']

const namespaceOf = (id: string) => id.split('.')[0]!

const isText = (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' && value.length <= longestText

/** Names of the suite: ids, their namespaces, and everything that its checks need. */
export type SuiteNames = {
  readonly namespaces: ReadonlySet<string>
  readonly needs: ReadonlySet<string>
}

export const suiteNames = (checks: readonly TaggedCheck[]): SuiteNames => ({
  namespaces: new Set(checks.map(({ id }) => namespaceOf(id))),
  needs: new Set([
    ...declaredCapabilities,
    ...checks.flatMap(({ needs, uses = [] }) => [...needs, ...uses]),
  ]),
})

/** What is wrong with an exported value that is meant to be a check; undefined for a valid one. */
function problemOf(
  check: Readonly<Record<string, unknown>>,
  names: SuiteNames,
): string | undefined {
  const { id, title, level, clause, needs, twin, exclusive, run } = check
  if (id === undefined) return 'a check has no id'
  if (typeof id !== 'string' || id.length > longestId || !idPattern.test(id))
    return `the id ${JSON.stringify(id)?.slice(0, longestId)} is not of the form namespace.name, such as acme.limits.burst`
  const of = `check '${id}'`
  if (names.namespaces.has(namespaceOf(id)))
    return `${of} is in the namespace '${namespaceOf(id)}' of the suite: use one of your own`
  const unknown = Object.keys(check).find((name) => !members.includes(name))
  if (unknown !== undefined)
    return `${of} has an unknown member '${unknown}': did you mean '${nearest(unknown, members)}'?`
  if (!isText(title)) return `${of} needs a title of at most ${longestText} characters`
  if (!levels.includes(level as string)) return `${of} needs a level: must, should or may`
  if (clause !== undefined && !isText(clause))
    return `the clause of ${of} must be a text of at most ${longestText} characters`
  if (needs !== undefined && !Array.isArray(needs)) return `needs of ${of} must be a list`
  const need = ((needs ?? []) as unknown[]).find((each) => !names.needs.has(each as string))
  if (need !== undefined)
    return `${of} needs '${String(need).slice(0, 100)}', which no target has: did you mean '${nearest(String(need).slice(0, 100), [...names.needs])}'?`
  if (twin !== undefined && !isText(twin)) return `the twin of ${of} must be a text`
  if (exclusive !== undefined && exclusive !== true)
    return `exclusive of ${of} must be true or absent`
  if (typeof run !== 'function') return `${of} has no function run`
  return undefined
}

const isIntended = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  ['id', 'run', 'level'].filter((name) => name in value).length >= 2

/** What a module exports as a check: values, members of lists, or its default. */
export function exportedChecks(exports: Readonly<Record<string, unknown>>) {
  const values = Object.values(exports).flatMap((value): unknown[] =>
    Array.isArray(value) ? value : [value],
  )
  return [...new Set(values)].filter(isIntended)
}

/**
 * The checks that a module exports.
 * @throws CannotRun with the file, where one is invalid or there is none
 */
export function checksOf(
  exports: Readonly<Record<string, unknown>>,
  file: string,
  names: SuiteNames,
): readonly OwnCheck[] {
  const intended = exportedChecks(exports)
  if (intended.length === 0)
    throw new CannotRun(`${file} exports no check`, 'Export the result of defineCheck({...}).')
  return intended.map((check) => {
    const problem = problemOf(check, names)
    if (problem !== undefined) throw new CannotRun(`${file}: ${problem}`)
    return check as unknown as OwnCheck
  })
}

import { constantPath } from '../compile/references.ts'
import { pathText } from '../compile/resolved.ts'
import type { Location } from '../errors.ts'
import type { Module, Rule, Term } from '../syntax/ast.ts'
import type { Scalar } from '../values/value.ts'

/** A rule that is a test. Each rule is one, also where several have the same name. */
export type TestRule = {
  /** `data.cap_test` */
  readonly package: string
  /** `test_clean`, `closed.test_open`; the second rule of that name is `test_clean#01`. */
  readonly name: string
  /** Of its document, below `data`. */
  readonly path: readonly Scalar[]
  readonly location: Location
  /** Named `todo_test_...`: reported as skipped. */
  readonly todo: boolean
  /** The parts of its reference behind that name: `test_x[name]` is one test for each name. */
  readonly rest: readonly Term[]
  readonly rule: Rule
}

/** A rule that looks like a test and is not run. */
export type NearTest = { readonly name: string; readonly location: Location }

/** Whether a test has cases, whose names are known when it runs. */
export const hasCases = ({ rest }: TestRule): boolean => constantPath(rest).length < rest.length

/** The name of a rule up to the part that makes it a test. */
type TestName = {
  readonly path: readonly Scalar[]
  readonly todo: boolean
}

/** The first constant part of a rule's reference with the prefix of a test ends the name of one. */
function testName({ head: { ref } }: Rule): TestName | undefined {
  if (ref.head.kind !== 'var') return undefined
  const path: Scalar[] = [ref.head.name, ...constantPath(ref.path)]
  const at = path.findIndex((part) => typeof part === 'string' && PREFIX.test(part))
  if (at < 0) return undefined
  return { path: path.slice(0, at + 1), todo: String(path[at]).startsWith('todo_') }
}

const PREFIX = /^(todo_)?test_/

/** Whether a rule is a test. */
export const isTest = (rule: Rule): boolean => testName(rule) !== undefined

/** The tests of modules, in the order of their files and texts. */
export function discoverTests(modules: readonly Module[]): readonly TestRule[] {
  const counts = new Map<string, number>()
  return inOrder(modules).flatMap((module) => {
    const pkg = constantPath(module.package.path.path)
    return module.rules.flatMap((rule) => {
      const name = testName(rule)
      if (name === undefined) return []
      const { path, todo } = name
      const key = pathText([...pkg, ...path])
      const count = counts.get(key) ?? 0
      if (!todo) counts.set(key, count + 1)
      const own = count === 0 || todo ? path : [...path.slice(0, -1), counted(path.at(-1), count)]
      return [
        {
          rule,
          package: pathText(pkg),
          name: nameText(own),
          path: [...pkg, ...own],
          location: rule.span.location,
          todo,
          rest: rule.head.ref.path.slice(own.length - 1),
        },
      ]
    })
  })
}

const counted = (name: Scalar | undefined, count: number): string =>
  `${String(name)}#${String(count).padStart(2, '0')}`

/** Rules that look like tests and are not run: `test`, `testOpen` or `Test_open` in a module of tests. */
export const nearTests = (modules: readonly Module[]): readonly NearTest[] =>
  inOrder(modules)
    .filter(isOfTests)
    .flatMap(({ rules }) => rules.filter(looksLikeTest))
    .map(({ head, span }) => ({ name: head.ref.span.text, location: span.location }))

const looksLikeTest = (rule: Rule): boolean =>
  testName(rule) === undefined &&
  !rule.isDefault &&
  rule.head.args === undefined &&
  /^(todo_?)?test(s?_|[A-Z0-9]|$)/i.test(rule.head.ref.span.text)

/** In the order in which tests run: by the names of files. */
const inOrder = (modules: readonly Module[]): readonly Module[] =>
  [...modules].sort((a, b) => (fileOf(a) < fileOf(b) ? -1 : fileOf(a) > fileOf(b) ? 1 : 0))

const fileOf = (module: Module): string => module.package.span.source.file

/** Whether a module has tests and what they use, and no policy. */
export const isOfTests = ({ package: { path, span } }: Module): boolean =>
  String(constantPath(path.path).at(-1)).endsWith('_test') ||
  span.source.file.endsWith('_test.rego')

/** The text of a path that begins with a variable: `closed["test open"]`. */
function nameText([first, ...rest]: readonly Scalar[]): string {
  return `${String(first)}${pathText(rest).slice('data'.length)}`
}

import type { Builtin } from '../builtins/builtin.ts'
import { ANY_ARRAY, BOOLEAN } from '../builtins/types.ts'
import { isClosure, literalTerms, walkTerm } from '../compile/visit.ts'
import {
  type Body,
  type Literal,
  type Module,
  type Ref,
  type Rule,
  type Term,
  variable,
} from '../syntax/ast.ts'
import type { Span } from '../syntax/source.ts'
import type { Scalar, Value } from '../values/value.ts'
import { discoverTests, type TestRule } from './discover.ts'

const TEST_CASE = 'internal.test_case'

/** The built-in that instrumented tests call with the name of each case, before they decide about it. */
export const testCaseBuiltin = (record: (path: Value) => void): Builtin => ({
  name: TEST_CASE,
  args: [ANY_ARRAY],
  result: BOOLEAN,
  nondeterministic: true,
  call: (_, path) => {
    record(path as Value)
    return true
  },
})

/**
 * Makes every test a document of its own, also where several rules have the same name. Parameterized tests
 * announce each case as soon as its name is known, so that those which then fail are known too.
 */
export function instrument(modules: readonly Module[]): readonly Module[] {
  const changed = new Map(discoverTests(modules).map((test) => [test.rule, instrumented(test)]))
  return modules.map((module) => ({
    ...module,
    rules: module.rules.map((rule) => changed.get(rule) ?? rule),
    annotations: module.annotations.map((each) => {
      const target = each.target?.kind === 'rule' ? changed.get(each.target) : undefined
      return target === undefined ? each : { ...each, target }
    }),
  }))
}

function instrumented({ rule, path, rest, todo }: TestRule): Rule {
  if (todo) return rule
  const { head, body } = rule
  const { ref } = head
  const own = ref.path.slice(0, ref.path.length - rest.length)
  const name = path.at(-1) as Scalar
  const last = own.at(-1)
  const named: Ref =
    last === undefined
      ? { ...ref, head: variable(String(name), ref.head.span) }
      : { ...ref, path: [...own.slice(0, -1), scalar(name, last.span), ...rest] }
  return { ...rule, head: { ...head, ref: named }, body: announcing(rule, rest) ?? body }
}

const scalar = (value: Scalar, span: Span): Term => ({ kind: 'scalar', value, span })

/** The body with a call for the names of a case, unless it has one. */
function announcing(rule: Rule, names: readonly Term[]): Body | undefined {
  const { head, body } = rule
  if (names.length === 0 || head.args !== undefined || rule.isDefault) return undefined
  if (body.some(isAnnouncement)) return undefined
  const { span } = head.ref
  const announcement: Literal = {
    kind: 'term',
    negated: false,
    withs: [],
    span,
    term: {
      kind: 'call',
      operator: variable(TEST_CASE, span),
      args: [{ kind: 'array', items: names, span }],
      infix: undefined,
      span,
    },
  }
  return body.toSpliced(firstPlace(names, body), 0, announcement)
}

const isAnnouncement = (literal: Literal): boolean =>
  literal.kind === 'term' &&
  literal.term.kind === 'call' &&
  literal.term.operator.span.text === TEST_CASE

/** Behind the first literals that name the variables of a case. */
function firstPlace(names: readonly Term[], body: Body): number {
  const open = variablesOf(names)
  let place = 0
  for (const [i, literal] of body.entries()) {
    if (literal.kind === 'some') continue
    const terms = [...literalTerms(literal), ...literal.withs.map(({ value }) => value)]
    for (const name of variablesOf(terms)) if (open.delete(name)) place = i + 1
  }
  return place
}

/** The names outside of closures. */
function variablesOf(terms: readonly Term[]): Set<string> {
  const names = new Set<string>()
  for (const term of terms) {
    walkTerm(term, (part) => {
      if (part.kind === 'var') names.add(part.name)
      return !isClosure(part)
    })
  }
  return names
}

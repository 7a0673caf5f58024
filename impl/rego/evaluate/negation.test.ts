import { describe, expect, test } from 'vitest'
import { builtins } from '../builtins/registry.ts'
import type { Dialect } from '../compile/dialect.ts'
import { createEngine } from '../engine.ts'

/** True in OPA 1.2 and in the engine at 0.9. */
const HOLDS: readonly string[] = [
  'not input.x',
  'not input.x.y',
  'not data.nope',
  'not q',
  'not q.z',
  'not input.x == 1',
  'not 1 == input.x',
  'not input.x = 1',
  'not input.x == input.y',
  'not g(1)',
  'not [y | y := input.x] == [1]',
  'not input.x with input.y as 1',
  'not startswith(input.image, "x") with input.image as "y"',
  'not r',
  'not data.test.r',
  'not s["a"]',
  'not s["a"] == "a"',
  'not o.b',
  'not object.get(input, "x", false)',
  'not input.o.a > 2',
  'not to_number(input.o.s)',
  'not upper(input.o.a)',
  'not data.base.zz',
  'not dd.x',
  'not a.b.c',
  'not {z | z := input.xs[_]} == {1}',
  'not (input.x)',
  'not (input.x == 1)',
]

/** Undefined in both. */
const FAILS: readonly string[] = [
  'not f([y | y := input.x])',
  'not f([input.x | true])',
  'not count([y | y := input.x]) == 0',
  'not count([y | y := input.xs[_]]) == 0',
  'not {y | y := input.x}',
  'not input.x with input.x as input.y',
  'not input.x == 1 with input.x as input.y',
  'not true with input.x as input.y',
  'not f(input.x) with input.x as 2',
  'not q with input.q as 1',
  'not q with input.q as input.zz',
  'not f(input.o.a)',
  'not f(object.get(input, "x", 5))',
  'not set()',
  'not input',
  'not {k: v | v := input.xs[k]} == {}',
]

/** Undefined in OPA 1.2, true in the engine at 0.9 (decision R14). */
const DIFFERS: readonly string[] = [
  'not input.x[input.k]',
  'not input.o[input.k]',
  'not input.x != 1',
  'not input.x > 1',
  'not 1 < input.x',
  'not input.x + 1',
  'not input.x + 1 == 2',
  'not input.x & {1} == {1}',
  'not startswith(input.image, "x")',
  'not startswith(lower(input.image), "x")',
  'not lower(input.image) == "x"',
  'not lower(input.image)',
  'not count(input.xs) == 0',
  'not count(input.xs) > 0',
  'not f(input.x)',
  'not f(input.x) == 1',
  'not f(f(input.x))',
  'not g(1) == 1',
  'not f(g(1))',
  'not f(q)',
  'not f(q.z)',
  'not [input.x]',
  'not {input.x}',
  'not {"a": input.x}',
  'not {input.x: 1}',
  'not [input.x] == [1]',
  'not [1] == [input.x]',
  'not {"a": input.x} == {"a": 1}',
  'not input.o == {"a": input.x}',
  'not [input.x][0]',
  'not [1, input.x][0] == 2',
  'not {"a": 1}[input.k]',
  'not input.o[input.k] == 1',
  'not input.o[lower(input.k)]',
  'not input.o[lower(input.k)] == 1',
  'not split(input.x, ",")[0]',
  'not split(input.x, ",")[0] == "a"',
  'not "a" in input.xs',
  'not input.x in ["a"]',
  'not input.x in input.xs',
  'not "k", input.x in {"k": 1}',
  'not (input.x in ["a"]) == true',
  'not ("a" in input.xs) == false',
  'not f(input.x in [1])',
  'not f("a" in input.xs)',
  'not startswith(input.image, "x") with input.y as 1',
  'not s[input.x]',
  'not o[input.k]',
  'not o[input.k] == 1',
  'not is_string(input.x)',
  'not is_null(input.x)',
  'not object.get(input.x, "a", 1)',
  'not json.marshal(input.x) == "1"',
  'not regex.match(input.re, "abc")',
  'not contains(input.list[0], "a")',
  'not input.list[input.i] == 1',
  'not glob.match("a", [], input.x)',
  'not time.parse_rfc3339_ns(input.t) > 5',
  'not to_number(input.o.s) == 1',
  'not to_number("x") == 1',
  'not upper(input.o.a) == "A"',
  'not 1 / input.o.zero == 1',
  'not walk(input.x)',
  'not walk(input.x, [[], 1])',
  'not count(input.xs, 0)',
  'not f(input.x, 1)',
  'not data.base[input.k]',
  'not contains(data.base.zz, "a")',
  'not f(dd.x)',
  'not {1, input.x} == {1}',
  'not sum([input.x, 1]) == 1',
  'not concat(",", [input.x, "b"]) == "b"',
  'not trim(input.x, " ") == ""',
  'not (input.x > 1)',
  'not (lower(input.x) == "a") == true',
  'not data.test.f(input.x)',
]

const RULES = `package test
f(x) := x
g(x) := x if x == 2
q := input.q
r if false
s contains input.x
s contains "b"
o[k] := v if { some k, v in input.o }
dd := {}
a.b.d := 1`

const input = { o: { a: 1, s: 'zz', zero: 0 }, list: [] }

/** Those of these expressions that hold. */
function holding(expressions: readonly string[], dialect: Dialect): string[] {
  const rules = expressions.map((expression, i) => `p${i} if { ${expression} }`)
  const source = [RULES, ...rules].join('\n')
  const modules = [{ name: 'test.rego', source }]
  const engine = createEngine({ modules, builtins, dialect, strict: false })
  const evaluation = engine.begin({ input, data: { base: { a: 1 } } })
  return expressions.filter((_, i) => evaluation.rule(`test.p${i}`) === true)
}

describe('undefined operands of a negated expression', () => {
  test('in the engine at 0.9, the expression does not hold', () => {
    expect(holding([...HOLDS, ...DIFFERS, ...FAILS], 'engine-0.9')).toEqual([...HOLDS, ...DIFFERS])
  })

  test('in OPA 1.2, the body is undefined', () => {
    expect(holding([...HOLDS, ...DIFFERS, ...FAILS], 'opa-1.2')).toEqual(HOLDS)
  })

  test.each([
    ['in a comprehension', (e: string) => `p := count([1 | ${e}]) == 1`],
    ['in every', (e: string) => `p if { every x in [1] { x == 1; ${e} } }`],
    ['in else', (e: string) => `p if false else if { ${e} }`],
    ['in a function', (e: string) => `h(x) if { x; ${e} }\np if h(true)`],
    ['in a query', undefined],
  ])('%s', (_, around) => {
    const found = (['engine-0.9', 'opa-1.2'] as const).map((dialect) => {
      const source = around === undefined ? RULES : `${RULES}\n${around('not input.level > 3')}`
      const engine = createEngine({ modules: [{ name: 'test.rego', source }], dialect })
      const query = around === undefined ? 'not input.level > 3' : 'data.test.p == true'
      const [row] = engine.prepare(query).evaluate({ input })
      return row?.expressions[0]?.value === true
    })
    expect(found).toEqual([true, false])
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { builtins } from '../builtins/registry.ts'
import type { Dialect } from '../compile/dialect.ts'
import { createEngine } from '../engine.ts'
import { answerOf, errorOf, rowsOf } from '../testing/answers.ts'
import { stringify } from '../values/json.ts'

/**
 * Expressions around the rows of a relation, each `@`. The expansion of a closure binds its `row`
 * within, where `Q` is.
 */
const EXPRESSIONS: readonly (readonly [form: string, closure?: string])[] = [
  ['@'],
  ['@[1]'],
  ['(@[1] == 1)'],
  ['(@[1] in [1, 2])'],
  ['count(@[0])'],
  ['(count(@[0]) + 1)'],
  ['[@, 1]'],
  ['{"k": @[0]}'],
  ['{@[1]}'],
  ['{@[1]: @[0]}'],
  ['g(@[0])'],
  ['object.get({"a": @[1]}, "a", 0)'],
  ['array.concat(@[0], [@[1]])'],
  ['[y | y := @[1]]', '[y | Q; y := row[1]]'],
  ['{y | some y in @[0]}', '{y | Q; some y in row[0]}'],
]

/** Statements with an expression `E`, and their expansions, in which `R` binds its rows. */
const STATEMENTS: readonly (readonly [form: string, expansion: string, opa?: string])[] = [
  ['x := E', 'R; x := E'],
  ['x = E', 'R; x = E'],
  ['E = x', 'R; E = x'],
  ['[_, x] := [1, E]', 'R; [_, x] := [1, E]'],
  ['{"k": x} = {"k": E}', 'R; {"k": x} = {"k": E}'],
  ['g(E, x)', 'R; g(E, x)'],
  ['count([E], x)', 'R; count([E], x)'],
  ['some x in [E]', 'R; some x in [E]'],
  ['some _, x in {"k": E}', 'R; some _, x in {"k": E}'],
  ['x := 1; E', 'x := 1; R; E'],
  ['x := [E][_]', 'R; x := [E][_]'],
  ['x := 1; not g(E)', 'x := 1; count([1 | R; g(E)]) == 0', 'x := 1; R; y := E; not g(y)'],
  [
    'x := 1; not [E] == [1]',
    'x := 1; count([1 | R; [E] == [1]]) == 0',
    'x := 1; R; y := E; not [y] == [1]',
  ],
  ['x := 1; every y in [E, 1] { y != 2 }', 'x := 1; R; every y in [E, 1] { y != 2 }'],
  ['x := 1; every _ in [1] { E }', 'x := 1; every _ in [1] { R; E }'],
  ['x := E with input as {"a": [1, 2]}', 'S; x := E'],
  ['x := input.z with input.z as E', 'R; x := input.z with input.z as E'],
  ['x := q with input.z as E', 'R; x := q with input.z as E'],
  ['x := [E | true]', 'x := [E | R]'],
  ['x := {E | true}', 'x := {E | R}'],
  ['x := {E: 1 | true}', 'x := {E: 1 | R}'],
  ['x := E; x == E', 'R; x := E; x == E'],
]

const document = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 2 },
    { weight: 2, arbitrary: fc.constantFrom(1, 2, 'a', null, false) },
    { weight: 2, arbitrary: fc.array(tie('json'), { maxLength: 2 }) },
    { weight: 2, arbitrary: fc.dictionary(fc.constantFrom('a', 'b'), tie('json'), { maxKeys: 2 }) },
  ),
})).json

/** The rows of a document, computed without the engine. */
function rowsIn(value: unknown, path: readonly unknown[] = []): unknown[] {
  const members = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value ?? {}).sort(([x], [y]) => (x < y ? -1 : 1))
  const below = typeof value === 'object' ? members : []
  return [[path, value], ...below.flatMap(([key, each]) => rowsIn(each, [...path, key]))]
}

type Pair = { readonly statement: string; readonly form: string; readonly expansion: string }

const pairsOf = (dialect: Dialect): Pair[] =>
  STATEMENTS.flatMap(([statement, plain, opa = plain]) =>
    EXPRESSIONS.map(([expression, closure]) => {
      const source = plain.startsWith('S') ? 'data.changed' : 'data.rows'
      const expansion = (dialect === 'opa-1.2' ? opa : plain).replaceAll('E', closure ?? expression)
      let count = 0
      const body = expansion.replaceAll('@', () => `row${count++}`)
      const bound = Array.from({ length: count }, (_, i) => `row${i} := ${source}[_]`).join('; ')
      return {
        statement,
        form: statement.replaceAll('E', expression).replaceAll('@', 'walk(input.a)'),
        expansion: body
          .replace(/\b[RS]\b/, bound === '' ? 'true' : bound)
          .replaceAll('Q', `row := ${source}[_]`),
      }
    }),
  )

/** Prepares the lists of results of all forms, and of all expansions. */
function prepared(bodies: readonly string[], dialect: Dialect, relation = true) {
  const rules = bodies.map((body, i) => `p${i} := [x | ${body}]`)
  const source = ['package test', 'g(y) := y if y != "a"', 'q := [input.z]', ...rules].join('\n')
  const walk = builtins.get('walk')
  if (walk === undefined) throw new Error('there is no walk')
  const { relation: _, ...plain } = walk
  const engine = createEngine({
    modules: [{ name: 'test.rego', source }],
    builtins: relation ? builtins : new Map([...builtins, ['walk', plain]]),
    dialect,
    strict: false,
    types: { program: () => {}, query: () => {} },
  })
  return (a: unknown): string[] => {
    const data = { rows: rowsIn(a), changed: rowsIn([1, 2]) }
    const evaluation = engine.begin({ input: { a, z: 0 }, data })
    return bodies.map((_, i) => {
      const found = evaluation.rule(`test.p${i}`)
      if (!Array.isArray(found)) throw new Error('no list')
      return JSON.stringify(found.map((value) => stringify(value)).sort())
    })
  }
}

describe.each<Dialect>(['engine-0.9', 'opa-1.2'])('in %s', (dialect) => {
  const pairs = pairsOf(dialect)
  const expansions = prepared(
    pairs.map(({ expansion }) => expansion),
    dialect,
  )
  const forms = pairs.map(({ form }) => form)

  test('a relation has the results of its expansion in every form', () => {
    const results = prepared(forms, dialect)
    fc.assert(
      fc.property(document, (a) => {
        const found = results(a)
        const wanted = expansions(a)
        pairs.forEach(({ form, expansion }, i) => {
          expect({ form, expansion, found: found[i] }).toEqual({
            form,
            expansion,
            found: wanted[i],
          })
        })
      }),
      { numRuns: 6 },
    )
  })

  test('every statement notices a relation that returns all rows at once', () => {
    const results = prepared(forms, dialect, false)
    const noticed = new Set<string>()
    for (const a of [1, [1], { a: [1, 'a', false] }]) {
      const found = results(a)
      const wanted = expansions(a)
      pairs.forEach(({ statement }, i) => {
        if (found[i] !== wanted[i]) noticed.add(statement)
      })
    }
    expect(STATEMENTS.flatMap(([form]) => (noticed.has(form) ? [] : [form]))).toEqual([])
  })
})

describe('in the head of a rule', () => {
  const input = { a: [1, 2] }
  test.each([
    ['p contains walk(input.a)[1]', '[1,2,[1,2]]'],
    ['p contains x if [_, x] := walk(input.a)', '[1,2,[1,2]]'],
    ['p[sprintf("%v", [walk(input.a)[1]])] := 1', '{"1":1,"2":1,"[1, 2]":1}'],
    ['p := walk(input.a[0])', '[[],1]'],
    ['p := 1 if false else := walk(input.a[0])[1]', '1'],
    ['f(x) := walk(x)[1]\np := f(input.a[1])', '2'],
    ['f(x) := walk(x)[1]\np := f(input.a)', 'eval_conflict_error'],
    ['p := walk(input.a)', 'eval_conflict_error'],
  ])('%s', (source, expected) => {
    const found = expected.startsWith('eval')
      ? errorOf(source, { input, strict: false }).split(':')[0]
      : answerOf(source, { input, strict: false })
    expect(found).toBe(expected)
  })
})

describe('output arguments', () => {
  const input = { a: [1, 2], z: { y: 3 } }
  test.each([
    ['f(x) := x + 1\np := [y | f(input.a[_], y)]', '[2,3]'],
    ['f(x) := x + 1\np := [i | f(input.a[i], 3)]', '[1]'],
    ['f(x) := [x, 7]\np := [y | f(input.a[_], [2, y])]', '[7]'],
    ['f(x) := x\np := [y | f(input.z, {"y": y})]', '[3]'],
    ['f(x) := x if x > 1\np := [y | f(input.a[_], y)]', '[2]'],
    ['f(x) := x == 1\np := [y | f(input.a[_], y)]', '[true,false]'],
    ['f(x) := x == 1\np := [1 | f(input.a[_], false)]', '[1]'],
    ['p := [n | count(input.a, n)]', '[2]'],
    ['p := [n | plus(input.a[_], 1, n)]', '[2,3]'],
    ['p if { not count(input.a, 3) }', 'true'],
    ['p := [n | count(input.a, n) with input.a as [5]]', '[1]'],
    ['p if { every x in input.a { plus(x, 1, y); y > 1 } }', 'true'],
    ['p := [[k, v] | walk(input.a, [k, v])]', '[[[],[1,2]],[[0],1],[[1],2]]'],
    ['p := [v | walk(input, [["a", _], v])]', '[1,2]'],
    ['p := [v | walk(input.a, [_, v]) with input.a as 5]', '[5]'],
    ['p if { not walk(input.a, [[0], 2]) }', 'true'],
    ['p if { every x in input.a { walk(x, [[], x]) } }', 'true'],
  ])('%s', (source, expected) => {
    expect(answerOf(source, { input, strict: false })).toBe(expected)
  })
})

test('a query has a row for each result', () => {
  expect(rowsOf('x := walk([1])')).toEqual(['x=[[],[1]]', 'x=[[0],1]'])
  expect(rowsOf('walk([1])[1]').length).toBe(2)
  expect(rowsOf('walk([1])').length).toBe(2)
})

test('a relation neither is replaced nor replaces a function', () => {
  const replaced = 'q := count([x | x := walk(input)])\np if q == 1 with walk as [3]'
  expect(errorOf(replaced)).toBe(
    'rego_compile_error: with keyword replacing built-in function: target must not be a relation',
  )
  const replacement = 'with keyword replacing function: the relation walk cannot replace a function'
  expect(errorOf('p if count(input) == 1 with count as walk')).toContain(replacement)
  expect(errorOf('f(x) := x\np if f(input) == 1 with f as walk')).toContain(replacement)
})

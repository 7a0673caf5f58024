import { describe, expect, test } from 'vitest'
import { createEngine } from '../engine.ts'
import { errorOf, answerOf as p, placeOf, rowsOf } from '../testing/answers.ts'

describe('complete rules', () => {
  test.each([
    ['p := 1', '1'],
    ['p := 1 if { true }\np := 1 if { true }', '1'],
    ['p := 1 if { false }', 'undefined'],
    ['default p := 0\np := 1 if { false }', '0'],
    ['default p := 0\np := 1 if { true }', '1'],
    ['default p := [x | x := 1]', '[1]'],
    ['p := x if { x := [2, 2][_] }', '2'],
    ['p := input.xs[_]', '7'],
    ['p if input.xs', 'true'],
    ['p := false if { true }', 'false'],
  ])('%j', (source, expected) => {
    expect(p(source, { input: { xs: [7] } })).toBe(expected)
  })

  test.each([
    'p := 1\np := 2 if { true }',
    'p := x if { x := [1, 2][_] }',
    'p := 1 if { false } else := 2\np := 3 if { true }',
  ])('%j gives two values', (source) => {
    expect(errorOf(source)).toBe(
      'eval_conflict_error: complete rules must not produce multiple outputs',
    )
  })

  test('the first rule that holds decides if all have one value', () => {
    expect(p('p if { input.a }\np if { input.b }', { input: { b: 1 } })).toBe('true')
  })

  test('the location of a conflict is that of the rule', () => {
    expect(placeOf('p := 1\np := 2 if { true }')).toBe('3:1')
  })
})

describe('else', () => {
  test.each([
    ['p := 1 if { input.a } else := 2 if { input.b } else := 3', '3'],
    ['p := 1 if { false } else := 2 if { true } else := 3', '2'],
    ['p := input.zz if { true } else := 2', '2'],
    ['p := 1 if { false } else if { true }', 'true'],
    ['p := x if { x := input.q } else := x if { x := 5 }', '5'],
    ['f(x) := 1 if { x > 5 } else := 2 if { x > 3 } else := 3\np := [f(6), f(4), f(0)]', '[1,2,3]'],
    ['p if { false } else := false if { true }', 'false'],
  ])('%j', (source, expected) => {
    expect(p(source)).toBe(expected)
  })
})

describe('partial rules', () => {
  test.each([
    ['p contains 2\np contains x if { x := [1, 2][_] }', '[1,2]'],
    ['p contains x if { false; x := 1 }', '[]'],
    ['p contains input.xs[_]', '[7]'],
    ['p[x] := y if { some x, y in ["a", "b"] }', '{"0":"a","1":"b"}'],
    ['p[x] if { some x in ["a", "b"] }', '{"a":true,"b":true}'],
    ['p["a"] := 1\np["b"] := 2', '{"a":1,"b":2}'],
    ['p[input.xs[_]] := 1', '{"7":1}'],
    ['p[x] := 1 if { x := [1, 1][_] }', '{"1":1}'],
    ['q contains 1\np := x if { q[x] }', '1'],
    ['q contains [1, 2]\np := [a, b] if { q[[a, b]] }', '[1,2]'],
    ['q[k] := v if { some k, v in {"a": 1, "b": 2} }\np := q.b', '2'],
    ['q[k] := v if { some k, v in {"a": 1, "b": 2} }\np := [k | q[k] == 2]', '["b"]'],
  ])('%j', (source, expected) => {
    expect(p(source, { input: { xs: [7] } })).toBe(expected)
  })

  test('one key, two values', () => {
    expect(errorOf('p[x] := y if { x := "a"; y := [1, 2][_] }')).toBe(
      'eval_conflict_error: object keys must be unique',
    )
  })
})

describe('ref heads', () => {
  test.each([
    ['p.q.r := 1\np.q.s := 2', '{"q":{"r":1,"s":2}}'],
    ['p.q[x] := 1 if { x := ["a", "b"][_] }\np.q.c := 2', '{"q":{"a":1,"b":1,"c":2}}'],
    ['p[x].r := 1 if { x := "a" }\np[x].s := 2 if { x := "a" }', '{"a":{"r":1,"s":2}}'],
    ['p[x][y] contains z if { x := "a"; y := 1; z := [3, 2][_] }', '{"a":{"1":[2,3]}}'],
    ['p[x].r contains y if { x := "a"; y := 1 }\np.a.r contains 2', '{"a":{"r":[1,2]}}'],
    ['p[0] := 1\np[true] := 2', '{"0":1,"true":2}'],
    ['default p.q := 1\np.q := 2 if { false }', '{"q":1}'],
    ['p.f(x) := x\np.q := data.test.p.f(3)', '{"q":3}'],
    ['q.a.b := 1\np := q.a', '{"b":1}'],
    ['q.a := 1\nq[x] := 2 if { x := "b" }\np := [q.a, q.b, [k | q[k]]]', '[1,2,["a","b"]]'],
  ])('%j', (source, expected) => {
    expect(p(source)).toBe(expected)
  })

  test.each([
    'p.q.r := 1\np.q[s] := 2 if { s := "r" }',
    'p[x] := 1 if { x := "a" }\np[x].b := 2 if { x := "a" }',
    'p[x] := {"b": 1} if { x := "a" }\np[x].c := 2 if { x := "a" }',
  ])('%j conflicts', (source) => {
    expect(errorOf(source)).toBe('eval_conflict_error: object keys must be unique')
  })

  test('a query for one of many keys', () => {
    expect(
      rowsOf(
        'data.test.p.q[i].s = x',
        'package test\np.q[r].s := 1 if r := "a"\np.q[r].s := 2 if r := "b"',
      ),
    ).toEqual(['i="a" x=1', 'i="b" x=2'])
  })
})

describe('functions', () => {
  test.each([
    ['f(x) := x * 2\np := f(3)', '6'],
    ['f([x, {"k": y}]) := x + y\np := f([1, {"k": 2}])', '3'],
    ['f(1) := "one"\nf(2) := "two"\np := [f(1), f(2)]', '["one","two"]'],
    ['f(1) := "one"\np := f(2)', 'undefined'],
    ['f(x, x) := "same"\np := [f(1, 1), count([1 | f(1, 2)])]', '["same",0]'],
    ['f(_, _) := 1\np := f(1, 2)', '1'],
    ['default f(_) := 0\nf(x) := x if { x > 1 }\np := [f(1), f(2)]', '[0,2]'],
    ['default f(_) := 0\np := f(input.none)', 'undefined'],
    ['f(x) if { x > 1 }\np := [f(2)]', '[true]'],
    ['f(x) := y if { y := x[_]; y > 1 }\np := f([1, 2])', '2'],
    ['f(x) := {y | some y in x}\np := f([2, 1])', '[1,2]'],
    ['f(x) := g(x) + 1\ng(x) := x * 2\np := f(f(1))', '7'],
    ['f(x) := x.a.b\np := f({"a": {"b": 1}})', '1'],
    ['f(x) := count(x)\np := f({[1, 2], {"a": 1}})', '2'],
  ])('%j', (source, expected) => {
    expect(p(source)).toBe(expected)
  })

  test('one call, two values', () => {
    expect(errorOf('f(x) := x[_]\np := f([1, 2])')).toBe(
      'eval_conflict_error: functions must not produce multiple outputs for same inputs',
    )
  })

  test('similar arguments are distinguished', () => {
    const source =
      'f(x, y) := [x, y]\np := [f("1", 1), f(1, "1"), f("a,b", "c"), f("a", "b,c"), f(null, "null")]'
    expect(p(source)).toBe('[["1",1],[1,"1"],["a,b","c"],["a","b,c"],[null,"null"]]')
  })

  test('results of calls are memoized, including undefined', () => {
    const lines: string[] = []
    const source =
      'f(x) := y if { print(x); y := input[x] }\np := [count([1 | f("a")]), count([1 | f("a")])]'
    expect(p(source, { input: {}, print: (line) => lines.push(line) })).toBe('[0,0]')
    expect(lines).toEqual(['a'])
  })
})

describe('base and virtual documents', () => {
  const data = { test: { base: 1, deep: { x: 1 } }, other: { y: 2 } }

  test('a package has both', () => {
    expect(p('p := 5\ndeep.z := 2', { data }, 'data.test')).toBe(
      '{"base":1,"deep":{"x":1,"z":2},"p":5}',
    )
    expect(p('q := 1\np := data.test.base', { data })).toBe('1')
  })

  test('undefined rules are omitted', () => {
    expect(p('p if { false }', { data }, 'data.test')).toBe('{"base":1,"deep":{"x":1}}')
  })

  test.each([
    ['p := 1', { test: { p: 2 } }],
    ['p := 1', { test: { p: {} } }],
    ['p := 1', { test: 5 }],
    ['p := 1', { test: null }],
    ['default p := 1', { test: { p: 3 } }],
    ['p contains 1', { test: { p: [2] } }],
    ['p[x] := 1 if x := "k"', { test: { p: { z: 2 } } }],
    ['p.a := 1', { test: { p: { a: 2 } } }],
    ['f(x) := x\np := 1', { test: { f: 2 } }],
    ['package test.a\np := 1', { test: { a: 3 } }],
  ])('a base document at the path of a rule is refused: %j, %j', (source, data) => {
    const refused = /^rego_compile_error: conflicting rule for data path test\/\S+ found$/
    expect(errorOf(source, { data })).toMatch(refused)
    // The same when the document comes with the evaluation.
    const modules = [
      { name: 'a.rego', source: /^package/.test(source) ? source : `package test\n${source}` },
    ]
    const engine = createEngine({ modules })
    expect(() => engine.prepare('data.test').evaluate({ data })).toThrow(/conflicting rule/)
  })

  test.each([
    ['p := 1', { test: { q: 2 } }],
    ['p := 1', { test: {} }],
    ['p := data.test.q.b\nq.a := 1', { test: { q: { b: 1 } } }],
    ['package test\np := 1 if data.test.a.y\n', { test: { a: { y: true } } }],
  ])('one beside a rule is not: %j, %j', (source, data) => {
    expect(p(source, { data })).toBe('1')
  })

  test('variables over packages', () => {
    const packages = [
      'package a.x\nv := 1',
      'package a.y\nv := 2\nf(x) := x',
      'package test\np := [[k, w] | w := data.a[k].v]',
    ]
    expect(p(packages)).toBe('[["x",1],["y",2]]')
    expect(p(packages, { data: { a: { x: { w: 3 }, z: { v: 9 } } } })).toBe(
      '[["x",1],["y",2],["z",9]]',
    )
  })

  test('keys that are known only at run time', () => {
    expect(
      p(['package a.b\nv := 1', 'package test\np := data.a[input.k].v'], { input: { k: 'b' } }),
    ).toBe('1')
    expect(
      p(['package a.b\nv := 1', 'package test\np := data.a[input.k]'], { input: { k: 'b' } }),
    ).toBe('{"v":1}')
  })

  test('all of data', () => {
    expect(p(['package a\nx := 1', 'package b.c\nf(x) := x'], { data: { z: 1 } }, 'data')).toBe(
      '{"a":{"x":1},"b":{"c":{}},"z":1}',
    )
  })
})

describe('errors of built-ins', () => {
  const source = 'p := to_number(input)'

  test('end a strict evaluation, with name and location', () => {
    expect(errorOf(source, { input: 'x', strict: true })).toMatch(/^eval_\w+_error: to_number: /)
    expect(placeOf(source, { input: 'x', strict: true })).toBe('2:6')
  })

  test('are undefined otherwise', () => {
    expect(p(source, { input: 'x', strict: false })).toBe('undefined')
    expect(p(`default q := "d"\nq := 1 / input\np := q`, { input: 0, strict: false })).toBe('"d"')
  })

  test('conflicts are errors in both', () => {
    expect(errorOf('p := x if { x := [1, 2][_] }', { strict: false })).toMatch(
      /^eval_conflict_error/,
    )
  })
})

describe('metadata', () => {
  const source = `# METADATA
# title: package
package test

# METADATA
# title: rule
# authors:
# - Ada <ada@example.org>
p := rego.metadata.rule()

q := rego.metadata.chain()

r := rego.metadata.rule()`

  test('of the rule', () => {
    expect(p(source)).toBe(
      '{"authors":[{"email":"ada@example.org","name":"Ada"}],"scope":"rule","title":"rule"}',
    )
    expect(p(source, {}, 'data.test.r')).toBe('{}')
    const two = 'package test\n\n# METADATA\n# title: a\n\n# METADATA\n# title: b\n'
    expect(p(`${two}p := rego.metadata.rule()`)).toBe('{"scope":"rule","title":"b"}')
    expect(p(`${two}p := [x.annotations.title | some x in rego.metadata.chain()]`)).toBe(
      '["b","a"]',
    )
  })

  test('of the enclosing scopes', () => {
    expect(p(source, {}, 'data.test.q')).toBe(
      '[{"path":["test","q"]},{"annotations":{"scope":"package","title":"package"},"path":["test"]}]',
    )
  })

  test('has members of their types, and no others', () => {
    const of = (...lines: string[]): string =>
      p(
        `package test\n# METADATA\n${lines.map((each) => `# ${each}\n`).join('')}p := rego.metadata.rule()`,
      )
    expect(of('title: 1.50', 'Title: x', 'description: true', 'organizations: [a, 1]')).toBe(
      '{"description":"true","organizations":["a","1"],"scope":"rule","title":"1.50"}',
    )
    expect(
      of('authors: [{name: A}, " B  C <d@e>", "<f>"]', 'related_resources: [x, {ref: y}]'),
    ).toBe(
      '{"authors":[{"name":"A"},{"email":"d@e","name":"B C"},{"email":"f"}],"related_resources":[{"ref":"x"},{"ref":"y"}],"scope":"rule"}',
    )
    expect(
      of(
        'schemas: [{input: schema.x}, {data.a: {type: string}}]',
        'custom: {1: yes, a: 012, b: 0o, c: 99999999999999999999}',
      ),
    ).toBe(
      '{"custom":{"1":"yes","a":10,"b":"0o","c":100000000000000000000},"schemas":[{"path":["input"],"schema":["schema","x"]},{"definition":{"type":"string"},"path":["data","a"]}],"scope":"rule"}',
    )
  })

  test.each([
    ['a: [', /^Flow sequence/],
    ['[a]', 'yaml: unmarshal errors: document is not a mapping'],
    ['title: [a]', 'yaml: unmarshal errors: title is not a string'],
    ['custom: a', 'yaml: unmarshal errors: custom is not a mapping'],
    ['authors: a', 'yaml: unmarshal errors: authors is not a list'],
    ['entrypoint: a', 'yaml: unmarshal errors: entrypoint is not a boolean'],
    ['title: a\n# title: b', /^Map keys must be unique/],
    ['', 'expected METADATA block, found whitespace'],
    ['scope: foo', /^invalid annotation scope 'foo'/],
    ['scope: package', /annotation scope 'package' must be applied to package \(have rule\)/],
    ['authors: [1]', /invalid author definition: invalid value type/],
    ['authors: [""]', /invalid author definition: author is an empty string/],
    ['authors: [{a: b}]', /invalid author definition: 'name' and\/or 'email' values required/],
    ['related_resources: [{a: b}]', /invalid related-resource definition: 'ref' value required/],
    ['related_resources: ["%zz"]', /invalid related-resource definition: invalid URL/],
    ['schemas: [{input: foo}]', /invalid schema reference/],
    ['schemas: [{"1 +": schema}]', /invalid document reference: 1 \+/],
    ['custom: {a: {1: 2}}', /invalid map key type: 1/],
  ])('%j is refused', (yaml, message) => {
    const source = `package test\n# METADATA\n# ${yaml}\np := rego.metadata.rule()`
    expect(() => p(source)).toThrow(message)
    expect(() => p(source)).toThrow(expect.objectContaining({ code: 'rego_parse_error' }))
  })
})

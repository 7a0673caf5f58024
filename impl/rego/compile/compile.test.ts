import { describe, expect, test } from 'vitest'
import { answerHere } from '../differences/answerHere.ts'
import { errorOf, answerOf as p, placeOf } from '../testing/answers.ts'

describe('names', () => {
  test('rules of the package, from any of its modules', () => {
    expect(p(['p := q + 1', 'q := 1'])).toBe('2')
  })

  test('imports, with and without alias', () => {
    const lib = 'package lib.x\ny := 1\nf(a) := a * 2'
    expect(p(['package test\nimport data.lib.x\np := x.f(x.y)', lib])).toBe('2')
    expect(p(['package test\nimport data.lib.x.y as z\np := z', lib])).toBe('1')
    expect(p('package test\nimport input.a.b\np := b', { input: { a: { b: 7 } } })).toBe('7')
    expect(p('package test\nimport input as request\np := request.a', { input: { a: 3 } })).toBe(
      '3',
    )
  })

  test('an import takes precedence over a rule and a group of built-ins of its name', () => {
    const lib = 'package lib\nunmarshal(_) := "own"\nvalue := 1'
    expect(p(['package test\nimport data.lib as json\np := json.unmarshal("1")', lib])).toBe(
      '"own"',
    )
    expect(p(['package test\nimport data.lib\nlib := {"value": 2}\np := lib.value', lib])).toBe('1')
  })

  test('local variables take precedence over rules', () => {
    expect(p('q := 1\np := x if { q := 2; x := q }')).toBe('2')
    expect(p('q := 1\nf(q) := q\np := f(5)')).toBe('5')
  })

  test('an undeclared name is the rule', () => {
    expect(p('q := 1\np if { q = 1 }')).toBe('true')
    expect(p('q := 1\np if { q = 2 }')).toBe('undefined')
  })

  test('a rule with the name of a built-in is called', () => {
    expect(p('count(x) := "mine"\np := count([1])')).toBe('"mine"')
  })

  test('a variable of a comprehension is local to it', () => {
    expect(p('p := [x, y] if { y := [x | some x in [1, 2]]; x := 5 }')).toBe('[5,[1,2]]')
    expect(p('p := [a, b] if { a := [x | x = [1, 2][_]]; b := [x | x = [3][_]] }')).toBe(
      '[[1,2],[3]]',
    )
  })

  test('an undeclared variable of the body is the same inside its closures', () => {
    expect(p('p := y if { x = 2; y := [x | [1, 2, 3][_] = x] }')).toBe('[2]')
  })

  test.each([
    ['p if { x := 1; x := 2 }', 'var x assigned above', '2:16'],
    ['p if { x = 1; x := 2 }', 'var x referenced above', '2:15'],
    ['p if { some x; x = 1; some x; x = 2 }', 'var x declared above', '2:28'],
    ['f(x) := 1 if { x := 2 }\np := f(1)', 'arg x redeclared', '2:16'],
    ['p if { some x; true }', 'declared var x unused', '2:13'],
    ['p if { input.x := 1 }', 'cannot assign to ref', '2:8'],
    ['p if { count([]) := 0 }', 'cannot assign to call', '2:8'],
    ['p if { 1 := 1 }', 'cannot assign to number', '2:8'],
    ['p if { not x := 1 }', 'cannot assign vars inside negated expression', '2:14'],
    ['input := 1\np := 1', 'rules must not shadow input (use a different rule name)', '2:1'],
    ['f(data) := 1\np := 1', 'args must not shadow data (use a different variable name)', '2:3'],
    [
      'p if { input := 1 }',
      'variables must not shadow input (use a different variable name)',
      '2:8',
    ],
    [
      'p if { some data in [1] }',
      'variables must not shadow data (use a different variable name)',
      '2:13',
    ],
  ])('%j', (source, message, place) => {
    expect(errorOf(source)).toBe(`rego_compile_error: ${message}`)
    expect(placeOf(source)).toBe(place)
  })

  test('a name can be imported only once', () => {
    const source = 'package test\nimport data.a\nimport data.b.a\np := 1'
    expect(errorOf(source)).toBe('rego_compile_error: import must not shadow import data.b.a')
  })

  test('assigned variables need not be used', () => {
    expect(p('p if { x := 1 }')).toBe('true')
  })
})

describe('conflicts of rules', () => {
  test.each([
    ['p := 1\np contains 2', 'conflicting rules data.test.p found'],
    ['p := 1\np(x) := x', 'conflicting rules data.test.p found'],
    ['p(x) := 1\np(x, y) := 1', 'conflicting rules data.test.p found'],
    ['p contains 1\np[x] := 2 if x := 1', 'conflicting rules data.test.p found'],
    [
      'default p := 1\ndefault p := 2',
      'multiple default rules data.test.p found at test-0.rego:2, test-0.rego:3',
    ],
    ['p := 1\np.q := 2', 'rule data.test.p conflicts with [data.test.p.q]'],
    ['p contains 1\np.q := 2', 'rule data.test.p conflicts with [data.test.p.q]'],
  ])('%j', (source, message) => {
    expect(errorOf(source)).toBe(`rego_type_error: ${message}`)
  })

  test('a rule at the path of a package', () => {
    expect(errorOf(['package a\nb := 1', 'package a.b\nc := 1'])).toBe(
      'rego_type_error: package a.b conflicts with rule data.a.b defined at test-0.rego:2',
    )
  })

  test('documents that merge do not conflict', () => {
    expect(p('p.a := 1\np[x] := 2 if x := "b"')).toBe('{"a":1,"b":2}')
    expect(p(['package test\np.a.b := 1', 'package test.p\na.c := 2'])).toBe('{"a":{"b":1,"c":2}}')
  })
})

describe('calls', () => {
  test.each([
    ['p := foo(1)', 'undefined function foo'],
    ['p := foo.bar(1)', 'undefined function foo.bar'],
    ['q := 1\np := q(1)', 'undefined function data.test.q'],
    ['f(x) := x\np := f(1, 2)', 'function data.test.f has arity 1, got 2 arguments'],
    ['p := count([1], 2, 3)', 'count: arity mismatch'],
    ['p := count()', 'count: arity mismatch'],
    ['p := re_match("a", "a")', 'deprecated built-in function calls in expression: re_match'],
    [
      'p if { true with foo as 1 }',
      'with keyword target must reference existing input, data, or a function',
    ],
    ['f(x) := x\np if { count([]) == 0 with count as g }\ng(a, b) := 1', 'count: arity mismatch'],
  ])('%j', (source, message) => {
    expect(errorOf(source)).toBe(`rego_type_error: ${message}`)
  })

  test('with cannot replace part of a rule or of the engine', () => {
    expect(errorOf('q := {}\np if { true with data.test.q.x as 1 }')).toBe(
      'rego_compile_error: with keyword cannot partially replace virtual document(s)',
    )
    expect(errorOf('p if { true with internal.print as 1 }')).toMatch(
      /^rego_compile_error: with keyword replacing built-in function: replacement of internal/,
    )
  })

  test('the result may be an additional argument', () => {
    expect(p('f(x) := x * 2\np := y if { count([1, 2], n); f(n, y) }')).toBe('4')
    expect(p('p if { count([1, 2], 3) }')).toBe('undefined')
  })

  test('a function without arguments is a rule', () => {
    expect(p('f() := 3\np := f()')).toBe('3')
  })
})

describe('safety', () => {
  test('the order of literals does not matter', () => {
    expect(p('p := x if { x > 1; x = y + 1; y = 2 }')).toBe('3')
    expect(p('p if { not q[x]; x = 2 }\nq contains 1')).toBe('true')
    expect(p('p := x if { [x, 2] = [1, y]; y == 2 }')).toBe('1')
    expect(p('p := x if { x = y; y = z; z = 5 }')).toBe('5')
    expect(p('p := n if { n = count([1 | some y in xs; y > m]); m = 1; xs = [1, 2, 3] }')).toBe('2')
  })

  test.each([
    ['p if { x > 1 }', 'x', '2:8'],
    ['p := x if true', 'x', '2:6'],
    ['p contains x if true', 'x', '2:12'],
    ['p[k] := v if k := 1', 'v', '2:9'],
    ['p if { not input.a[_] == 1 }', '_', '2:20'],
    ['p if { not x; y := 1 }', 'x', '2:12'],
    ['p if { every x in xs { x } }', 'xs', '2:19'],
    ['p if { every x in [1] { x > y } }', 'y', '2:29'],
    ['p := [x | y := 1]', 'x', '2:7'],
    ['p if { true with input as x }', 'x', '2:27'],
    ['p if { x = x }', 'x', '2:8'],
    ['p if { count([x | x > 1]) > 0 }', 'x', '2:19'],
    ['f(x) := y\np := f(1)', 'y', '2:9'],
    ['p := $"{x}"', 'x', '2:9'],
    ['p if { {x} = {1} }', 'x', '2:9'],
    ['p if { print(x) }', 'x', '2:14'],
  ])('%j', (source, name, place) => {
    expect(errorOf(source)).toBe(`rego_unsafe_var_error: var ${name} is unsafe`)
    expect(placeOf(source)).toBe(place)
  })

  // found by mutation: each of these was planned although a variable had no value yet
  test.each([
    'p contains x if { x = [x | y = 1]; y = 1 }',
    'p contains x if { max([1, [[x | x]], 3], x) }',
    'p := x if { sprintf("%v", [$"{x}"], x) }',
    'q contains 1\np contains x if { data.test.q[x] with input as [x] }',
    'q contains 1\np contains x if { data.test.q[x] with input as [$"{x}"] }',
    'f(_) := 2\np := y if { y = f(true) with f as y }',
    'p := x if { x = 1 with input as opa.runtime }',
  ])('%s has no order', (source) => {
    expect(errorOf(source)).toMatch(/^rego_unsafe_var_error/)
  })

  test('sides that can never be equal', () => {
    expect(errorOf('p := x if { {"a": x, "c": 1} = {"a": 1, "b": 2} }')).toMatch(/match error/)
  })

  test('a key of a pattern may be a value of it', () => {
    expect(p('p := x if { {x: 2, "y": x} = {"z": 2, "y": "z"} }')).toBe('"z"')
    expect(p('p := x if { {x: x, "y": x} = {"x": 1, "y": 1} }')).toBe('undefined')
  })

  test('a part of a pattern may depend on the rest of it', () => {
    expect(p('p := x if { [count(x), x] = [2, [5, 6]] }')).toBe('[5,6]')
    expect(p('p := x if { [count(x), x] = input.a }', { input: { a: [1, [5, 6]] } })).toBe(
      'undefined',
    )
  })
})

test.each([
  ['p if { some i; input.list[i] == format_int(i, 10) }', 'var i is unsafe'],
  ['p if { some i; format_int(i, 10) == input.list[i] }', 'var i is unsafe'],
  ['p if { some i; input.list[i] > i + 1 }', 'var i is unsafe'],
  ['p if { some i; [input.list[i]] == [i + 1] }', 'var i is unsafe'],
  [
    's.k[b] contains 3 if b := "z"\ns.k[b].e := 1 if b := "y"',
    'conflicting rules data.test.s.k found',
  ],
  ['s[b] contains 3 if b := "e"\ns[c].c := 1 if c := "z"', 'conflicting rules data.test.s found'],
])('%s is refused, as in OPA', (source, message) => {
  for (const dialect of ['engine-0.9', 'opa-1.2'] as const) {
    expect(errorOf(source, { dialect })).toContain(message)
  }
})

test.each([
  'p if { some i; input.list[i] = format_int(i, 10) }',
  'p if { some i; input.list[i] == [i] }',
  'p if { some i; upper(input.list[i]) == format_int(i, 10) }',
  'p if { some i; x := input.list[i]; x == format_int(i, 10) }',
  's.k[b] contains 3 if b := "e"\ns.k.b.e := 1',
])('%s is accepted, as in OPA', (source) => {
  expect(errorOf(source, { dialect: 'opa-1.2' })).toMatch(/^no error/)
})

test.each<[source: string, service: string, opa: string]>([
  ['f(1)\np := f(1)', 'rego_parse_error', 'true'],
  ['f(x)\np := f(2)', 'rego_parse_error', 'true'],
  ['q := input.x\np := q()', 'rego_type_error', '1'],
  ['q := 1\np := q()', 'rego_type_error', 'rego_type_error'],
  ['f() := 1\np := f()', '1', 'rego_type_error'],
  ['p := input.list[1.0]', '"b"', 'undefined'],
  ['p := input.list[json.unmarshal("1.0")]', '"b"', 'undefined'],
  ['p := ["a", "b"][1.0]', '"b"', 'rego_type_error'],
  ['p := [.5 + .5, 010 - 01]', '[1,9]', '[1,9]'],
])('%s: %s in the service, %s in OPA', (source, service, opa) => {
  const program = { modules: [`package test\n\n${source}`], input: { x: 1, list: ['a', 'b'] } }
  expect(answerHere(program, 'service')).toBe(service)
  expect(answerHere(program, 'opa-1.2')).toBe(opa)
})

describe('recursion', () => {
  const circle = (...names: string[]) =>
    `rego_recursion_error: rule data.test.${names[0]} is recursive: ${names.map((n) => `data.test.${n}`).join(' -> ')}`

  test.each([
    ['p if p', circle('p', 'p')],
    ['p if q\nq if p', circle('p', 'q', 'p')],
    ['f(x) := f(x)\np := 1', circle('f', 'f')],
    ['p := data.test', circle('p', 'p')],
    ['p := data.test[input.x]', circle('p', 'p')],
    ['p := data[input.x].p', circle('p', 'p')],
    ['p := [x | some x in p]', circle('p', 'p')],
    ['p if { p with input as 1 }', circle('p', 'p')],
    ['p.a := p.b\np.b := p.a', circle('p.a', 'p.b', 'p.a')],
    ['p if { every x in [1] { p; x } }', circle('p', 'p')],
    ['default p := 1\np := 2 if { $"{p}" == "1" }', circle('p', 'p')],
    ['f(x) := g(x)\ng(x) := 1 if { x with data.y as f(x) }\np := 1', circle('f', 'g', 'f')],
  ])('%j', (source, message) => {
    expect(errorOf(source)).toBe(message)
  })

  test('fixed members next to dynamic ones may depend on each other', () => {
    expect(p('q.a := q.b + 1\nq.b := 1\np := q.a')).toBe('2')
  })

  test('a chain longer than the depth of the stack is not a recursion', () => {
    const rules = Array.from({ length: 3_000 }, (_, i) => `r${i} := r${i + 1}`).join('\n')
    expect(p(`${rules}\nr3000 := 1\np := 2`)).toBe('2')
  })
})

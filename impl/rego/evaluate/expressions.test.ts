import { describe, expect, test } from 'vitest'
import type { Dialect } from '../compile/dialect.ts'
import { errorOf, answerOf as p, rowsOf } from '../testing/answers.ts'

describe('undefined', () => {
  test.each([
    'input.a',
    '[1, input.a]',
    '{1, input.a}',
    '{"k": input.a}',
    '{input.a: 1}',
    'count(input.a)',
    'input.a == 1',
    'input.a + 1',
    '[1][1]',
    '[1][-1]',
    '[1]["0"]',
    '[1][0.5]',
    '"abc"[0]',
    '{"a": 1}.b',
    '{1}[2]',
  ])('%s', (term) => {
    // a variable in between, so that the type checker does not know the value
    const [head = '', rest = ''] = /^(\[1\]|"abc"|\{"a": 1\}|\{1\})(.+)$/.exec(term)?.slice(1) ?? []
    const source = rest === '' ? `p := ${term}` : `p := input.x${rest}`
    const x = head === '{1}' ? [1] : JSON.parse(head === '' ? 'null' : head)
    expect(p(source, { input: { x } })).toBe('undefined')
  })

  test('fails a statement, as false does; null, 0 and "" are true', () => {
    expect(p('p if { false }')).toBe('undefined')
    expect(p('p if { null; 0; ""; []; {}; set() }')).toBe('true')
  })

  test('not holds for false and for undefined', () => {
    expect(p('p if { not false; not input.x; not input.x.y == 1; not 1 == 2 }')).toBe('true')
    expect(p('p if { not null }')).toBe('undefined')
  })

  test('a comprehension is never undefined', () => {
    expect(p('p := [[x | x := input.x], {x | x := input.x}, {1: x | x := input.x}]')).toBe(
      '[[],[],{}]',
    )
  })
})

describe('references', () => {
  const data = { a: [{ b: [1, 2] }, { b: [3] }], o: { x: 1, y: 2 } }

  test('iterate over arrays, objects and sets, in their order', () => {
    expect(p('p := [x | x := data.a[_].b[_]]', { data })).toBe('[1,2,3]')
    expect(p('p := [[k, v] | v := data.o[k]]', { data })).toBe('[["x",1],["y",2]]')
    expect(p('p := [x | {3, 1, 2}[x]]')).toBe('[1,2,3]')
  })

  test('join over a repeated variable', () => {
    expect(p('p := [[i, j] | data.a[i].b[j] == data.a[j].b[i]]', { data })).toBe('[[0,0]]')
    expect(
      p('p := [i | some i; data.xs[i] == data.ys[i]]', { data: { xs: [1, 2, 3], ys: [0, 2, 3] } }),
    ).toBe('[1,2]')
  })

  test('each _ is a different variable', () => {
    expect(p('p := count([1 | data.a[_].b[_]])', { data })).toBe('3')
  })

  test('a set returns its members, including composites', () => {
    expect(p('p := {[1, {2}], 3}[[1, {2}]]')).toBe('[1,[2]]')
    expect(p('p := [x | {[1, 2], [3, 4], 5}[[x, _]]]')).toBe('[1,3]')
  })

  test('keys of any kind', () => {
    expect(p('p := {{1}: "a", [2]: "b", 3: "c"}[{1}]')).toBe('"a"')
    expect(p('p := {1: "a"}[1.0]')).toBe('"a"')
  })

  test('a nested reference iterates first', () => {
    expect(
      p('p := [v | v := data.o[data.keys[_]]]', { data: { ...data, keys: ['y', 'z', 'x'] } }),
    ).toBe('[2,1]')
  })

  test('into calls and comprehensions', () => {
    expect(p('p := split("a,b", ",")[1]')).toBe('"b"')
    expect(p('p := [x | x := [1, 2][_]][1]')).toBe('2')
    expect(p('p := [k | numbers.range(5, 7)[k]]')).toBe('[0,1,2]')
  })

  test('names of JavaScript object members are ordinary keys', () => {
    const own = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}')
    expect(p('p := [input.__proto__.x, input.constructor, input.toString]', { input: own })).toBe(
      'undefined',
    )
    expect(p('p := [input.__proto__.x, input.constructor]', { input: own })).toBe('[1,2]')
    expect(p('p := input.hasOwnProperty', { input: {} })).toBe('undefined')
  })

  test('external documents have string keys, also for a numeric key', () => {
    expect(p('p := data[2]', { data: { 2: 'x' } })).toBe('"x"')
  })
})

describe('unification', () => {
  test.each([
    ['p := [x, y] if { [x, 2] = [1, y] }', '[1,2]'],
    ['p := [x, y] if { {"a": x, "b": [y]} = {"a": 1, "b": [2]} }', '[1,2]'],
    ['p := x if { [x, x] = input.pair }', 'undefined'],
    ['p := x if { [x, x] = input.same }', '3'],
    ['p := x if { {"a": x} = input.one }', '1'],
    ['p := x if { {"a": x} = input.two }', 'undefined'],
    ['p := x if { [1, x] = input.pair }', '2'],
    ['p if { input.pair = [1, 2] }', 'true'],
    ['p if { {1, 2} = {2, 1} }', 'true'],
    ['p := x if { [_, [x, _]] = [1, [2, 3]] }', '2'],
    ['p := x if { input.two[k] = 2; x = k }', '"b"'],
    ['p := [x, y, z] if { x = y; [y, z] = [z, 4] }', '[4,4,4]'],
    ['p := [a, b] if { [a, b] := input.pair }', '[1,2]'],
    ['p := k if { k := "x"; {k: 1} = {"x": 1} }', '"x"'],
  ])('%s', (source, expected) => {
    const input = { pair: [1, 2], same: [3, 3], one: { a: 1 }, two: { a: 1, b: 2 } }
    expect(p(source, { input })).toBe(expected)
  })

  test('integers past 2^53 and fractions compare exactly', () => {
    expect(p('p if { 9007199254740993 == 9007199254740992 }')).toBe('undefined')
    expect(p('p if { 1.0 == 1; {1, 1.0} == {1} }')).toBe('true')
    expect(p('p := 9007199254740993 + 1')).toBe('9007199254740994')
  })
})

describe('some, every, in', () => {
  test.each([
    ['p := [x | some x in [3, 1]]', '[3,1]'],
    ['p := [[k, v] | some k, v in {"a": 1, "b": 2}]', '[["a",1],["b",2]]'],
    ['p := [[i, v] | some i, v in ["x"]]', '[[0,"x"]]'],
    ['p := [[k, v] | some k, v in {5}]', '[[5,5]]'],
    ['p := [b | some [1, b] in [[1, 2], [3, 4], [1, 5]]]', '[2,5]'],
    ['p := [a | some {"a": a} in [{"a": 1}, {"b": 2}, {"a": 3, "c": 1}]]', '[1]'],
    ['p := [v | some "k", v in {"k": 1, "l": 2}]', '[1]'],
    ['p if { every x in [1, 2] { x > 0 } }', 'true'],
    ['p if { every x in [1, 2] { x > 1 } }', 'undefined'],
    ['p if { every x in [] { x > 1 } }', 'true'],
    ['p if { every x in input.x { x } }', 'undefined'],
    ['p if { every k, v in {"a": 1} { k == "a"; v == 1 } }', 'true'],
    ['p if { every x in [1] { some y in [0, 1]; y == x } }', 'true'],
    ['p if { every x in [[1, 2], [3]][_] { x > 2 } }', 'true'],
    ['p if { 1 in [1]; "v" in {"k": "v"}; 2 in {2} }', 'true'],
    ['p if { "k", "v" in {"k": "v"}; 0, 1 in [1] }', 'true'],
    ['p := 1 in 1', 'false'],
    ['p if { not 3 in [1] }', 'true'],
  ])('%s', (source, expected) => {
    expect(p(source)).toBe(expected)
  })

  test('every over a non-collection fails', () => {
    expect(p('p if { every x in input { x } }', { input: 5 })).toBe('undefined')
  })
})

describe('comprehensions', () => {
  test.each([
    ['p := {x % 2: 1 | false}', null],
    ['p := {(x % 2) | some x in [1, 2, 3]}', '[0,1]'],
    ['p := {k: v | some k, v in [7, 8]}', '{"0":7,"1":8}'],
    ['p := [[y | y := x] | some x in [1, 2]]', '[[1],[2]]'],
    [
      'p := {x: [y | some y in ys; y > x] | some x in [1, 2]; ys = [1, 2, 3]}',
      '{"1":[2,3],"2":[3]}',
    ],
    ['p := [x | x := [1, 2][_]; x > 1]', '[2]'],
    ['p := {"a": 1 | some x in [1, 2]}', '{"a":1}'],
  ])('%s', (source, expected) => {
    if (expected === null) expect(errorOf(source)).toMatch(/rego_(parse|unsafe)/)
    else expect(p(source)).toBe(expected)
  })

  test('two values for one key are a conflict', () => {
    expect(errorOf('p := {"a": x | some x in [1, 2]}')).toBe(
      'eval_conflict_error: object keys must be unique',
    )
  })

  test('a set iterates in the order of Rego', () => {
    expect(p('p := [x | some x in {"b", [1], null, 2, {"a": 1}, true, "a", {0}, false}]')).toBe(
      '[null,false,true,2,"a","b",[1],{"a":1},[0]]',
    )
  })
})

describe('relations and outputs', () => {
  test('walk returns each path and value', () => {
    expect(p('p := [x | walk([1, [2]], x)]')).toBe('[[[],[1,[2]]],[[0],1],[[1],[2]],[[1,0],2]]')
    expect(p('p := [v | walk({"a": {"b": 3}}, [["a", "b"], v])]')).toBe('[3]')
    expect(p('p := {k | walk({"a": {"b": 3}}, [[_, k], _])}')).toBe('["b"]')
  })

  test('calls in terms iterate over their arguments', () => {
    expect(p('p := [x | x := upper(input.xs[_])]', { input: { xs: ['a', 'b'] } })).toBe('["A","B"]')
  })
})

describe('templates', () => {
  test.each([
    ['p := $"{1 + 1} {"a"} {[1, "b"]} {null}"', '"2 a [1, \\"b\\"] null"'],
    ['p := $"{input.x}!"', '"<undefined>!"'],
    ['p := $"{input.y with input.y as 5}"', '"5"'],
    ['p := [$"<{x}>" | some x in [1, 2]]', '["<1>","<2>"]'],
    ['f($"{x} b") := x if x = "a"\np := f("a b")', '"a"'],
    ['p := $`a\n{1}`', '"a\\n1"'],
  ])('%s', (source, expected) => {
    expect(p(source)).toBe(expected)
  })

  test('an expression must have a single value', () => {
    expect(errorOf('p := $"{[1, 2][_]}"')).toBe(
      'eval_conflict_error: template-strings must not produce multiple outputs',
    )
  })
})

describe('queries', () => {
  test('rows are the solutions', () => {
    expect(rowsOf('x := [1, 2][_]; y = x + 1')).toEqual(['x=1 y=2', 'x=2 y=3'])
    expect(rowsOf('some x in [1, 2]')).toEqual(['x=1', 'x=2'])
    expect(rowsOf('true')).toEqual([''])
    expect(rowsOf('false')).toEqual([''])
    expect(rowsOf('false; true')).toEqual([])
    expect(rowsOf('1 == 2; x = 1')).toEqual([])
    expect(rowsOf('data.nothing')).toEqual([])
  })

  test('variables of closures and wildcards are not included', () => {
    expect(rowsOf('x = [y | y = [1][_]]')).toEqual(['x=[1]'])
  })

  test('print prints undefined and continues', () => {
    const lines: string[] = []
    expect(p('p if { print("a", 1, input.x, {2}) }', { print: (line) => lines.push(line) })).toBe(
      'true',
    )
    expect(lines).toEqual(['a 1 <undefined> {2}'])
  })
})

describe('keys that an object has twice', () => {
  const value = (object: string, dialect: Dialect): string =>
    p(`p := x if { x := ${object} }`, { dialect, input: {} })

  test.each([
    ['{"a": input.none, "a": 0}', '{"a":0}', 'undefined'],
    ['{1: input.none, 1.0: 0}', '{"1":0}', 'undefined'],
    ['{["a"]: input.none, ["a"]: 0}', '{"[\\"a\\"]":0}', 'undefined'],
    ['{"a": 0, "a": input.none}', 'undefined', 'undefined'],
    ['{input[""]: input.none, input[""]: 0}', 'undefined', 'undefined'],
    ['{count([]): input.none, count([]): 0}', '{"0":0}', 'undefined'],
    ['{"a": input.none, "b": 0}', 'undefined', 'undefined'],
    ['{"a": 0, "a": 1}', '{"a":1}', '{"a":1}'],
  ])('%s', (object, opa, service) => {
    expect([value(object, 'opa-1.2'), value(object, 'engine-0.9')]).toEqual([opa, service])
  })
})

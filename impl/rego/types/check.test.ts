import { describe, expect, it } from 'vitest'
import { builtins } from '../builtins/registry.ts'
import { compileModules, compileQuery } from '../compile/program.ts'
import { RegoError } from '../errors.ts'
import { parseModule, parseQuery } from '../syntax/parser.ts'
import { Source } from '../syntax/source.ts'
import { typeCheck } from './check.ts'

function check(source: string, query?: string): string {
  try {
    const module = parseModule(new Source('p.rego', `package test\n${source}`))
    const program = compileModules([module], builtins, { types: typeCheck })
    if (query !== undefined) {
      compileQuery(program, parseQuery(new Source('query', query)), typeCheck)
    }
    return 'ok'
  } catch (error) {
    if (!(error instanceof RegoError)) throw error
    return error.text
  }
}

const fault = (message: string, row = 2): string => `p.rego:${row}: rego_type_error: ${message}`

describe('arguments of built-ins', () => {
  it.each([
    ['p := upper(1)', 'upper: invalid argument(s)\n\thave: (number)\n\twant: (string)'],
    [
      'p := 1 + "a"',
      'plus: invalid argument(s)\n\thave: (number, string)\n\twant: (number, number)',
    ],
    [
      'p := sum(["a"])',
      'sum: invalid argument(s)\n\thave: (array<string>)\n\twant: (any<array[number], set[number]>)',
    ],
    [
      'p := {"a": 1} | {"b"}',
      'or: invalid argument(s)\n\thave: (object<a: number>, set[string])\n\twant: (set[any], set[any])',
    ],
    [
      'p := urlquery.encode_object({[1]: "a"})',
      'urlquery.encode_object: invalid argument(s)\n\thave: (object<[1]: string>)\n\twant: (object[string: any<array[string], set[string], string>])',
    ],
  ])('refuses %s', (source, message) => {
    expect(check(source)).toBe(fault(message))
  })

  it('follows variables, rules and functions', () => {
    expect(check('p if { x := "a"; y := x; abs(y) > 1 }')).toContain('abs: invalid argument(s)')
    expect(check('q := "a"\np := abs(q)')).toContain('abs: invalid argument(s)')
    expect(check('f(x) := upper(x)\np := abs(f("a"))')).toContain('abs: invalid argument(s)')
    expect(check('f(x) := upper(x)\np := f(1)')).toContain('data.test.f: invalid argument(s)')
    expect(check('p := abs(count([x | some x in "abc"]))')).toContain('undefined ref')
    expect(check('p contains upper(x) if some x in [1, 2]')).toContain('upper: invalid argument(s)')
    expect(check('p[k] := v if some k, v in {"a": 1}\nq := upper(p.a)')).toContain('upper: invalid')
  })

  it('checks an output argument', () => {
    expect(check('p if { count([1], x); upper(x) == "A" }')).toContain('upper: invalid argument(s)')
    expect(check('p if count([1], "a")')).toContain('count: invalid argument(s)')
  })

  it.each([
    'p := upper(input.x)',
    'p := upper(data.base.x)',
    'p if { some x in input.xs; upper(x) == "A"; x + 1 == 2 }',
    'q := input.a\np := upper(q)',
    'q := "a" if input.x\nelse := 1\np := upper(q)',
    'f(x) := x + 1\nf(x) := concat(" ", ["hello", x])\np := [f("a"), f(1)]',
    'default f(_) := 1\nf(x) := 2 if x == "a"\np := f(3)',
    'r if false\np := abs(r)',
    'p := sprintf("%v", [1, "a"])',
    'p := sum([1, input.x])',
    'p := object.get({"a": 1}, "b", "c")',
    'p if { print("x", 1, input.y) }',
    'p if { walk(input, [path, value]); path[0] == "a"; value + 1 == 2 }',
    'p := [x | x := {3, 1}[_]]',
    'p := {1} - {2}\nq := 1 - input.x',
  ])('accepts %s', (source) => {
    expect(check(source)).toBe('ok')
  })
})

describe('references', () => {
  it('are checked against known types', () => {
    expect(check('p if { x := [1]; x[1] == 1 }')).toContain('undefined ref: x[1]')
    expect(check('p if { x := {"a": 1}; x.b == 1 }')).toBe(
      fault('undefined ref: x.b\n\thave: string\n\twant (one of): ["a"]'),
    )
    expect(check('p := [1, 2, 3][-1]')).toContain('undefined ref: [1, 2, 3][-1]')
    expect(check('q := 1\np := q.a')).toBe(fault('undefined ref: q.a\n\thave: number', 3))
    expect(check('p if { x := 1; x[i] }')).toContain('undefined ref: x[i]')
    expect(check('p if { x := {"a"}; x[1] }')).toContain('undefined ref: x[1]')
  })

  it('cannot refer into a function', () => {
    expect(check('f(x) := x\np := f')).toBe(fault('undefined ref: f\n\thave: (any) => any', 3))
    expect(check('f(x) := x\np := f.a')).toContain('undefined ref: f.a')
    expect(check('f() := {"a": 1}\np := f.a')).toBe('ok')
  })

  it.each([
    'p := input.a.b[_].c',
    'p if { x := [1]; x[input.i] == 1 }',
    'p if { x := {"a": 1, input.k: 2}; x.b == 1 }',
    'p if { x := {"a": 1}; x[k] == 1; k == "b" }',
    'p.q.r := 1\np.q.s := "a"\nx := p.q[_]\ny := p.q.t',
    'q[x].a := 1 if some x in [1, "b"]\np := q[1].a',
    'q contains 1\np if q[x]',
    'q := {"a": 1} if input.x\nelse := ["b"]\np := [q.a, q[0]]',
    'p := [1, 2, 3][1.0]',
    'p := data.test.nothing.here',
    'p if { x := [[1, "a"]]; x[_][1] == "a" }',
  ])('accepts %s', (source) => {
    expect(check(source)).toBe('ok')
  })
})

describe('equations', () => {
  it.each([
    'p if 1 == "a"',
    'p if { x := 1; x = "a" }',
    'p if { [x, 1] = [2, "a"] }',
    'p if { x := 3; [x] = [1, 2] }',
    'p if { x := 3; {"a": x} = {"b": 1} }',
    'p if { {"a": x} = {"a": 1, "b": 2} }',
    'p if { {1} == {"a"} }',
    'p if { x := {"k": [1]}; x.k[0] == "a" }',
    'p if { [x] = {"k": 1} }',
    'q := 1\np if q == "a"',
    'p if { {{1}: 2} == {{2}: 2} }',
    'p if { {{1}: 2} == {[1]: "a"} }',
    'p if { {{1}} == {[1]} }',
    'p if { {"[1]": 2} == {[1]: 2} }',
  ])('refuses %s', (source) => {
    expect(check(source)).toMatch(/rego_type_error: match error\n\tleft {2}: .*\n\tright : /)
  })

  it.each([
    'p if { x = y; y = 1 }',
    'p if { [x, y] = [y, 1] }',
    'p if { {"a": x, "b": 2} = {"a": 1, "b": y} }',
    'p if { x := input.x; x == 1; x == "a" }',
    // The keys of types are those of JSON, as in OPA.
    'p if { {{1}: 2} == {[1]: 2} }',
    'p if { {[[1]]: 2} = {{{1}}: 2} }',
    'p if { x := {[1]: 2}; {{1}: y} = x }',
    'p if 1 != "a"',
    'p := 1 == "a"',
    'p if { set() == {1} }',
    'p if { [] == input.x }',
    'p if { some [5, x, y] in [[0, 1], [5, 1, 2]]; x + y == 3 }',
    'p if every x in 5 { x == "a" }',
    'p if every k, v in {"a": 1} { k == "a"; v == 1 }',
  ])('accepts %s', (source) => {
    expect(check(source)).toBe('ok')
  })

  it('checks closures', () => {
    expect(check('p := [x | x := 1; x == "a"]')).toContain('match error')
    expect(check('p if every x in [1] { x == "a" }')).toContain('match error')
    expect(check('p := {k: v | some k, v in [1]; k == "a"}')).toContain('match error')
    expect(check('p if { x := 1; y := [x | x == "a"] }')).toContain('match error')
  })
})

describe('the object of rules below a name', () => {
  const rules = 'p.a := 0\np.b.c contains 1'

  it.each([
    ...['p == 0', 'p.b == 0', 'p == []', 'startswith(p, "a")', 'x := p - 1'],
    ...['p == {"a": "x", "b": {"c": {1}}}', 'p == {1: 0}'],
  ])('is no other value in %s', (statement) => {
    expect(check(`${rules}\nq if ${statement}`)).toContain('rego_type_error')
  })

  it('is a package, too', () => {
    const modules = (statement: string) =>
      [`package lib\n${rules}`, `package test\nq if ${statement}`].map((source) =>
        parseModule(new Source('p.rego', source)),
      )
    const checked = (statement: string) => () =>
      compileModules(modules(statement), builtins, { types: typeCheck })
    expect(checked('data.lib == 0')).toThrow('match error')
    expect(checked('data.lib == {"p": 1}')).toThrow('match error')
    expect(checked('data.lib.base == 0')).not.toThrow()
    expect(checked('data.other == 0')).not.toThrow()
  })

  it.each(['p == {"a": 1, "b": {"c": {2}}}', 'count(p) == 1', 'p.c == 0', 'p[_] == "x"'])(
    'may be an object of its rules and base data in %s',
    (statement) => {
      expect(check(`${rules}\nq if ${statement}`)).toBe('ok')
    },
  )

  it('is any value where `with` replaces it', () => {
    expect(check(`${rules}\nq if p == 0 with p as 0`)).toBe('ok')
  })

  it('has no functions as members', () => {
    expect(check('p.f(x) := x\np.a := 0\nq if p == {"a": 1}')).toBe('ok')
  })
})

describe('with', () => {
  it('replaces functions by values and by functions of the same arity', () => {
    expect(check('p if count([1]) == 2 with count as 2')).toBe('ok')
    expect(check('f(x) := "a"\np if count([1]) == "a" with count as f')).toBe('ok')
    expect(check('f(x, y) := 1\np if count([1]) == 1 with count as f')).toContain(
      'count: arity mismatch',
    )
  })

  it('replaces no function by one of arguments of other types', () => {
    expect(check('p if time.clock(3) with time.clock as lower')).toContain(
      'time.clock: arity mismatch',
    )
    expect(check('p if upper("a") == "a" with upper as lower')).toBe('ok')
    expect(check('f(x) := x + 1\np if upper("a") with upper as f')).toContain(
      'upper: arity mismatch',
    )
    expect(check('f(1) := 1\nf("a") := 2\np if upper("a") with upper as f')).toBe('ok')
    expect(check('f(x) := g(x)\ng(x) := lower(x)\np if abs(1) with abs as f')).toContain(
      'abs: arity mismatch',
    )
  })

  it('invalidates the types of rules', () => {
    expect(check('q := 1\np if q == "a" with q as "a"')).toBe('ok')
    expect(check('q := 1\np if q == "a" with input as {}')).toContain('match error')
  })
})

describe('programs', () => {
  it('reports the first fault by location, and no dependent rule', () => {
    expect(check('p := q + 1\nq := upper(1)\nr := upper(2)')).toMatch(/^p.rego:3: .*upper/)
  })

  it('checks queries', () => {
    expect(check('q := 1', 'data.test.q = "a"')).toContain('query:1: rego_type_error: match error')
    // Only in queries, as in OPA.
    expect(check('q := 1', 'data.test.q == "a"; [1 | 1 == "a"]')).toBe('ok')
    expect(check('q := 1\np if q == "a"')).toContain('rego_type_error: match error')
    expect(check('q := 1', 'x := data.test.q; x == 2')).toBe('ok')
  })

  it('terminates on wide and deep literals', () => {
    const wide = `p := [${Array.from({ length: 5000 }, (_, i) => `{"k${i}": ${i}}`).join()}]\nq := p[_].k1`
    expect(check(wide)).toBe('ok')
    const chain = Array.from({ length: 200 }, (_, i) => `r${i + 1} := [r${i}, r${i}]`).join('\n')
    expect(check(`r0 := 1\n${chain}`)).toBe('ok')
    const other = chain.replaceAll(/\br(?=\d)/g, 's')
    const both = `r0 := 1\ns0 := 2\n${chain}\n${other}\n`
    expect(check(`${both}p if r200 == s200\nq := {r200, s200}[_].a`)).not.toContain('internal')
    const fan = Array.from({ length: 12 }, (_, i) => `r${i + 1} := [${`r${i}, `.repeat(60)}r${i}]`)
    expect(check(`r0 := 1\n${fan.join('\n')}\nq := abs(r1)`)).toContain('abs: invalid')
  })
})

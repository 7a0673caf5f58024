import { describe, expect, it } from 'vitest'
import { builtins } from '../builtins/registry.ts'
import { createEngine } from '../engine.ts'

/** One program for each rule that a policy can violate. Texts of OPA 1.2.0. */
describe('errors of parsing and compiling have the texts of OPA', () => {
  it.each([
    ['p := upper(1)', '3: rego_type_error: upper: invalid argument(s)'],
    ['p := upper()', '3: rego_type_error: upper: arity mismatch'],
    ['p := foo(1)', '3: rego_type_error: undefined function foo'],
    ['p if { count := 1; count([1]) }', '3: rego_type_error: undefined function count'],
    ['p if { count := 1; not count([1]) }', '3: rego_type_error: undefined function count'],
    ['p if { time := 1; time.now_ns() }', '3: rego_type_error: undefined function time.now_ns'],
    ['p if { some count in [1]; count([1]) }', '3: rego_type_error: undefined function count'],
    [
      'p if { count := 1; count([1]) == 1 }',
      '3: rego_compile_error: called function count shadowed',
    ],
    [
      'p if { count := 1; x := count([1]) }',
      '3: rego_compile_error: called function count shadowed',
    ],
    ['p := data.foo.bar(1)', '3: rego_type_error: undefined function data.foo.bar'],
    ['p if { x := {"a": 1}; x.b }', '3: rego_type_error: undefined ref: x.b'],
    ['p if { x := [1]; x[1] }', '3: rego_type_error: undefined ref: x[1]'],
    ['p if { x := [1]; x.a }', '3: rego_type_error: undefined ref: x.a'],
    ['p if { 1 == "a" }', '3: rego_type_error: match error'],
    ['p := f(1)', '3: rego_type_error: undefined function f'],
    ['p := f', '3: rego_unsafe_var_error: var f is unsafe'],
    ['p := q(1)', '3: rego_type_error: undefined function q'],
    ['p := r.x', '3: rego_unsafe_var_error: var r is unsafe'],
    ['p if { x }', '3: rego_unsafe_var_error: var x is unsafe'],
    ['p if { {[1]: x} = {[2]: 2} }', '3: rego_unsafe_var_error: var x is unsafe'],
    ['p if { {[1]: 2} = {{1}: x} }', '3: rego_unsafe_var_error: var x is unsafe'],
    ['p if { not input.a[_] == 1 }', '3: rego_unsafe_var_error: var _ is unsafe'],
    ['p := [x | y]', '3: rego_unsafe_var_error: var y is unsafe'],
    ['p if { x := 1; x := 2 }', '3: rego_compile_error: var x assigned above'],
    ['p if { x = 1; x := 2 }', '3: rego_compile_error: var x referenced above'],
    ['p if { some x; x := 1 }', '3: rego_compile_error: var x declared above'],
    ['p if { some x }', '3: rego_compile_error: declared var x unused'],
    [
      'p := p',
      '3: rego_recursion_error: rule data.test.p is recursive: data.test.p -> data.test.p',
    ],
    ['p := q', '3: rego_unsafe_var_error: var q is unsafe'],
    ['q := p', '3: rego_unsafe_var_error: var p is unsafe'],
    [
      'f(x) := f(x)',
      '3: rego_recursion_error: rule data.test.f is recursive: data.test.f -> data.test.f',
    ],
    ['default p := x', '3: rego_parse_error: illegal default rule (value cannot contain var)'],
    [
      'default p := input.x',
      '3: rego_parse_error: illegal default rule (value cannot contain ref)',
    ],
    [
      'default p := upper("a")',
      '3: rego_parse_error: illegal default rule (value cannot contain call)',
    ],
    ['p := 1 if { with }', '3: rego_parse_error: unexpected with keyword'],
    [
      'p if { input.x with foo as 1 }',
      '3: rego_type_error: with keyword target must reference existing input, data, or a function',
    ],
    ['p if { input.x with input.y as z }', '3: rego_unsafe_var_error: var z is unsafe'],
    [
      'input := 1',
      '3: rego_compile_error: rules must not shadow input (use a different rule name)',
    ],
    ['data := 1', '3: rego_compile_error: rules must not shadow data (use a different rule name)'],
    [
      'data.x if true',
      '3: rego_compile_error: rules must not shadow data (use a different rule name)',
    ],
    [
      'p if { input := 1 }',
      '3: rego_compile_error: variables must not shadow input (use a different variable name)',
    ],
    [
      'f(input) := 1',
      '3: rego_compile_error: args must not shadow input (use a different variable name)',
    ],
    [
      'import foo.bar',
      '3: rego_parse_error: unexpected import path, must begin with one of: {data, future, input, rego}, got: foo (hint: if this is unexpected, try updating OPA)',
    ],
    [
      'import future.keywords.foo',
      '3: rego_parse_error: unexpected keyword, must be one of [contains every if in]',
    ],
    [
      'import rego.v2',
      '3: rego_parse_error: `import rego.v2` needs OPA 1.22 or later; this is the Rego of OPA 1.2: rewrite the policy without it',
    ],
    ['p[x] { x = 1 }', '3: rego_parse_error: `if` keyword is required before rule body'],
    ['p := {', '4: rego_parse_error: unexpected eof token'],
    ['p := [1', '4: rego_parse_error: unexpected eof token: expected "," or "]"'],
    ['p := "a', '3: rego_parse_error: non-terminated string'],
    ['p := 1.', '3: rego_parse_error: expected fraction'],
    ['p := 1e', '3: rego_parse_error: expected exponent'],
    ['p := "\\x"', '3: rego_parse_error: illegal escape sequence'],
    ['p := ]', '3: rego_parse_error: unexpected ] token'],
    ['p := }', '3: rego_parse_error: unexpected } token'],
    ['p := )', '3: rego_parse_error: unexpected ) token'],
    ['p := (1', '4: rego_parse_error: non-terminated expression'],
    ['p := {"a" 1}', '3: rego_parse_error: unexpected number token: non-terminated set'],
    ['p := [1, , 2]', '3: rego_parse_error: unexpected , token'],
    [':= 1', '3: rego_parse_error: unexpected assign token'],
    ['p if { 1 := 2 }', '3: rego_compile_error: cannot assign to number'],
    ['p if { input.x := 1 }', '3: rego_compile_error: cannot assign to ref'],
    ['p if { upper("a") := x }', '3: rego_compile_error: cannot assign to call'],
    ['p := q.1', '3: rego_parse_error: unexpected number token: expected identifier'],
    ['p if { every x in [1] }', '3: rego_parse_error: unexpected } token: missing body'],
    ['p if { every x in [1] {} }', '3: rego_parse_error: found empty body'],
    [
      'p if { every x { true } }',
      '3: rego_parse_error: unexpected { token: expected `x[, y] in xs { ... }` expression',
    ],
    ['p if { every in [1] { true } }', '3: rego_parse_error: unexpected in keyword'],
    ['p if { not not true }', '3: rego_parse_error: unexpected not keyword'],
    ['p := true else := false', '3: rego_parse_error: unexpected else keyword'],
    [
      'default f(1) := 1',
      '3: rego_parse_error: illegal default rule (arguments cannot contain number)',
    ],
    [
      'default f(x, x) := 1',
      '3: rego_parse_error: illegal default rule (arguments cannot be repeated x)',
    ],
    ['p := if', '3: rego_parse_error: unexpected if keyword'],
    ['p := some', '3: rego_parse_error: unexpected some keyword'],
    ['import', '4: rego_parse_error: expected ident'],
    ['import data.x as', '4: rego_parse_error: unexpected eof token: expected var'],
    ['import data.x as 1', '3: rego_parse_error: unexpected number token: expected var'],
    [
      'p := any([true])',
      '3: rego_type_error: deprecated built-in function calls in expression: any',
    ],
    [
      'p := all([true])',
      '3: rego_type_error: deprecated built-in function calls in expression: all',
    ],
    [
      'p := re_match("a", "b")',
      '3: rego_type_error: deprecated built-in function calls in expression: re_match',
    ],
    ['p := -x', '3: rego_parse_error: unexpected identifier token: expected number'],
    ['p := -"a"', '3: rego_parse_error: unexpected string token: expected number'],
    ['p if { print() == 1 }', '3: rego_type_error: print() used as value'],
    ['p if { x := print(1) }', '3: rego_type_error: print(1) used as value'],
    ['p := a.b.c(1)', '3: rego_type_error: undefined function a.b.c'],
    ['p := data.test.q(1)', '3: rego_type_error: undefined function data.test.q'],
    ['p := "abc".x', '3: rego_parse_error: illegal ref (head cannot be string)'],
  ])('%s', (source, text) => {
    const modules = [{ name: 'test-0.rego', source: `package test\n\n${source}\n` }]
    const [line, ...words] = text.split(': ')
    expect(() => createEngine({ modules, builtins, dialect: 'opa-1.2' })).toThrow(
      expect.objectContaining({
        text: expect.stringMatching(startOf(`test-0.rego:${line}: ${words.join(': ')}`)),
      }),
    )
  })
})

/** The first line; the types of OPA's type errors follow it. */
const startOf = (text: string): RegExp =>
  new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(\n|$)`)

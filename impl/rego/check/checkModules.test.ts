import { expect, test } from 'vitest'
import { profileBuiltins } from '../builtins/capabilities.ts'
import { checkModules } from './checkModules.ts'

const builtins = profileBuiltins('service')

const check = (texts: Readonly<Record<string, string>>, maxErrors = 10) =>
  checkModules({
    modules: Object.entries(texts).map(([name, source]) => ({ name, source })),
    builtins,
    maxErrors,
  })

/** `file:row:col-end code: first line of the message` */
const lines = (texts: Readonly<Record<string, string>>, maxErrors?: number): readonly string[] =>
  check(texts, maxErrors).errors.map(({ error: { location, code, message }, end }) => {
    const to = end === undefined ? '' : `-${end.row}:${end.col}`
    return `${location?.file}:${location?.row}:${location?.col}${to} ${code}: ${message.split('\n')[0]}`
  })

test('valid modules have no error', () => {
  const { errors, isCut, modules } = check({ 'a.rego': 'package a\n\nallow if input.x' })
  expect([errors, isCut, modules.length]).toEqual([[], false, 1])
})

test('syntax newer than OPA 1.2 is reported for the profile opa-1.2', () => {
  const source =
    'package a\n\np := $"{input.n}"\n\nq.if := input.every\n\nr if in.x == 1\n\ns := 1 in [1]'
  const modules = [{ name: 'a.rego', source }]
  const options = { modules, builtins: profileBuiltins('opa-1.2'), dialect: 'opa-1.2' } as const
  expect(checkModules(options).errors.map(({ error }) => error.text)).toEqual([
    'a.rego:3: rego_parse_error: a template string needs OPA 1.12 or later',
    'a.rego:5: rego_parse_error: the keyword `if` as a name needs OPA 1.6 or later',
    'a.rego:5: rego_parse_error: the keyword `every` as a name needs OPA 1.6 or later',
    'a.rego:7: rego_parse_error: the keyword `in` as a name needs OPA 1.6 or later',
  ])
})

test('keywords of Rego v1 are names in imports, as in OPA 1.2', () => {
  const source = `package a

import data.lib.if.x as y
import future.keywords.contains
import future.keywords.every
import future.keywords.if
import future.keywords.in
import input.in as z

p if y == z

q := y.in
`
  const modules = [{ name: 'a.rego', source }]
  const options = { modules, builtins: profileBuiltins('opa-1.2'), dialect: 'opa-1.2' } as const
  expect(checkModules(options).errors.map(({ error }) => error.text)).toEqual([
    'a.rego:12: rego_parse_error: the keyword `in` as a name needs OPA 1.6 or later',
  ])
})

test('every file with a syntax error has one, and other stages are left out', () => {
  expect(
    lines({
      'a.rego': 'package a\n\nallow if {',
      'b.rego': 'package b\n\np := x',
      'c.rego': 'package c\n\np := 1 + * 2',
    }),
  ).toEqual([
    'a.rego:3:11 rego_parse_error: unexpected eof token: expected \\n or ; or }',
    'c.rego:3:10-3:11 rego_parse_error: unexpected mul token',
  ])
})

test('several rules that the compiler refuses, in one file and in others', () => {
  expect(
    lines({
      'a.rego':
        'package a\n\np if x > 1\n\nq := 1\n\nr if upper(1, 2, 3)\n\nf(x) := x if y\n\ng := f(1)',
      'b.rego': 'package b\n\np if missing(1)',
    }),
  ).toEqual([
    'a.rego:3:6-3:7 rego_unsafe_var_error: var x is unsafe',
    'a.rego:7:6-7:11 rego_type_error: upper: arity mismatch',
    'a.rego:9:14-9:15 rego_unsafe_var_error: var y is unsafe',
    'b.rego:3:6-3:13 rego_type_error: undefined function missing',
  ])
})

test.each([
  ['a rule', 'p if x\n\nq if p'],
  ['a function', 'f(y) if x\n\nq := f(1)'],
  ['recursion', 'p if q\n\nq if p'],
  ['an import', 'import data.b\nimport data.c.b\n\nq if b.x'],
])('what refers to %s that is left out has no error of its own', (_, text) => {
  expect(lines({ 'a.rego': `package a\n\n${text}` })).toHaveLength(1)
})

test('several type errors', () => {
  expect(
    lines({ 'a.rego': 'package a\n\np := upper(1)\n\nq if "a" == 1\n\nr := 1 + "é"' }),
  ).toEqual([
    'a.rego:3:6-3:11 rego_type_error: upper: invalid argument(s)',
    'a.rego:5:6-5:9 rego_type_error: match error',
    'a.rego:7:6-7:7 rego_type_error: plus: invalid argument(s)',
  ])
})

test('errors between modules: conflicts and recursion', () => {
  expect(lines({ 'a.rego': 'package a\n\ndefault p := 1\n\ndefault p := 2' })).toHaveLength(1)
  expect(
    lines({
      'a.rego': 'package a\n\nimport data.b\n\np if b.p',
      'b.rego': 'package b\n\nimport data.a\n\np if a.p',
    }),
  ).toEqual([expect.stringContaining('rego_recursion_error')])
})

test('no more errors than asked for, which it says', () => {
  const text = `package a\n\n${Array.from({ length: 5 }, (_, i) => `p${i} if x${i}`).join('\n\n')}`
  const { errors, isCut } = check({ 'a.rego': text }, 3)
  expect([errors.length, isCut]).toEqual([3, true])
  expect(check({ 'a.rego': text }, 5).isCut).toBe(false)
})

test('columns count characters', () => {
  expect(lines({ 'a.rego': 'package a\n\np if "😀" == x' })).toEqual([
    'a.rego:3:13-3:14 rego_unsafe_var_error: var x is unsafe',
  ])
})

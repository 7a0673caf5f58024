import { expect, test } from 'vitest'
import type { DiffProgram } from './answers.ts'
import {
  withFunctionsThemselves,
  withoutDomains,
  withoutNegations,
  withoutRulesAsReplacements,
  withoutWiths,
  withTotalKeyedMembership,
  withTotalMembership,
} from './without.ts'

const program = (source: string): DiffProgram => ({
  modules: [{ name: 'test.rego', source: `package test\n\n${source}` }],
  query: 'data.test.p',
  strict: false,
})

const P =
  'p := [x | not f({y | not y == 1 with input as 2}) with data.a as 1 with input as {}] if q'

test('leaves out modifiers, those within others at once', () => {
  expect(withoutWiths(program(P))).toEqual(
    program('p := [x | not f({y | not y == 1 }) ] if q'.replace(') ]', ')  ]')),
  )
})

test('writes true in place of negated expressions, the outermost ones', () => {
  expect(withoutNegations(program(P))).toEqual(program('p := [x | true] if q'))
})

test('writes an empty array in place of collections', () => {
  const source = 'p := [x | some x in f([y | some k, y in q])] if {\n\tsome [z] in input.a\n}'
  expect(withoutDomains(program(source))).toEqual(
    program('p := [x | some x in []] if {\n\tsome [z] in []\n}'),
  )
})

test('has nothing of a module that cannot be parsed', () => {
  expect(withoutWiths(program('p := '))).toBeUndefined()
})

test('replaces functions by themselves, in whatever way they are named', () => {
  const source = 'f(1) := 2\n\np := [f(1) | f(1) with data.test.f as 3] if f(2) with f as count'
  expect(withFunctionsThemselves(program(source))?.modules[0]?.source).toBe(
    `package test\n\n${source
      .replace('f as 3', 'f as data.test.f_itself')
      .replace('f as count', 'f as f_itself')}\n\nf_itself(1) := 2`,
  )
})

test('has no value where a rule is in the value of a modifier', () => {
  const source =
    'q := 1\n\np if {\n\tx := q with input as [q]\n\tnot x with input as data.test.q\n}'
  expect(withoutRulesAsReplacements(program(source))).toEqual(
    program('q := 1\n\np if {\n\tx := q with input as data.undefined.value\n\ttrue\n}'),
  )
})

test('makes membership total', () => {
  expect(withTotalMembership(program('p := [1 in x, x]'))).toEqual(
    program('p := [(count([1 | 1 in x]) > 0), x]'),
  )
  expect(withTotalKeyedMembership(program('p if 0, x in y'))).toEqual(
    program('p if (count({[m | some k, m in y; count({k, 0}) == 1], [m | m := x]}) == 1)'),
  )
})

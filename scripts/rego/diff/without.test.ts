import { expect, test } from 'vitest'
import type { DiffProgram } from './answers.ts'
import { withoutDomains, withoutNegations, withoutWiths } from './without.ts'

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

import { expect, test } from 'vitest'
import { regex } from '../groups/regex.ts'
import { check } from './check.ts'
import { format } from './format.ts'
import { lint, lintRules } from './lint.ts'

test('format lays a module out, and says where a text is no module', () => {
  expect(format('package a\np  :=   1')).toBe('package a\n\np := 1\n')
  expect(() => format('package a\np :=', 'a.rego')).toThrow(
    expect.objectContaining({
      code: 'rego_parse_error',
      location: expect.objectContaining({ file: 'a.rego', row: 2 }),
    }),
  )
})

test('check finds the errors of all modules with their places', () => {
  const sources = { 'a.rego': 'package a\n\np if x\n', 'b.rego': 'package b\n\nq := upper(1)\n' }
  const { errors, isCut } = check({
    'a.rego': sources['a.rego'],
    'c.rego': 'package c\n\nr if y\n',
  })
  expect(isCut).toBe(false)
  expect(errors).toEqual([
    {
      code: 'rego_unsafe_var_error',
      message: 'var x is unsafe',
      location: { file: 'a.rego', row: 3, col: 6 },
      end: { row: 3, col: 7 },
    },
    expect.objectContaining({ location: { file: 'c.rego', row: 3, col: 6 } }),
  ])
  expect(check({ 'b.rego': sources['b.rego'] }).errors[0]?.code).toBe('rego_type_error')
  expect(check(sources, { maxErrors: 1 })).toMatchObject({ errors: [{}] })
  expect(check({ 'd.rego': 'package d\n\np := input.x\n' })).toEqual({ errors: [], isCut: false })
})

test('check knows the groups that it is given, names missing ones, and has a dialect', () => {
  const sources = { 'a.rego': 'package a\n\np if regex.match("a", input.x)\n' }
  expect(check(sources).errors[0]?.message).toContain("from 'polgate-rego/regex'")
  expect(check(sources, { builtins: [regex] }).errors).toEqual([])
  const printed = { 'a.rego': 'package a\n\np := print(1)\n' }
  expect(check(printed).errors).toEqual([])
  expect(check(printed, { dialect: 'opa-1.2' }).errors).toMatchObject([{ code: 'rego_type_error' }])
})

test('lint finds patterns that fail open, by rule', () => {
  const sources = { 'a.rego': 'package a\n\ndefault allow := true\n' }
  expect(lint(sources)).toMatchObject([
    { rule: 'default-allow', place: { file: 'a.rego', row: 3, col: 1 } },
  ])
  expect(lint(sources, { rules: ['untested-deny'] })).toEqual([])
  expect(lintRules).toContain('undefined-negation')
  expect(() => lint(sources, { rules: ['nope'] })).toThrow('unknown lint rule nope: use one of')
  expect(() => lint({ 'a.rego': 'package a\n\np if semver.is_valid(x)\n' })).toThrow(
    "from 'polgate-rego/semver'",
  )
})

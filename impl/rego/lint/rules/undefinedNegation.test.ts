import { describe, expect, test } from 'vitest'
import { profileBuiltins } from '../../builtins/capabilities.ts'
import { compileModules } from '../../compile/program.ts'
import { createEngine } from '../../engine.ts'
import { parseModule } from '../../syntax/parser.ts'
import { Source } from '../../syntax/source.ts'
import { typeCheck } from '../../types/check.ts'
import { found } from '../lint.fixture.ts'
import { contextOf } from '../lintModules.ts'
import { eachLiteral } from '../literals.ts'
import { agreedForm } from './undefinedNegation.ts'

const RULES = `
default open := false

opt := input.opt

always := 3

listed contains x if some x in input.list

f(x) := x

default g(_) := 1

taken(x) if x > 1
`

const policy = (literal: string): string => `package policy\n${RULES}\np if {\n\t${literal}\n}\n`

const DIFFERS = [
  'not startswith(input.image, "x")',
  'not input.level > 3',
  'not opt > 3',
  'not input.x + 1 == 4',
  'not f(input.x)',
  'not f(1) > input.x',
  'not "a" in input.list',
  'not input.o[input.k]',
  'not taken(input.x)',
  'not startswith(input.image, "x") with input.other as 1',
  'some y in ["a", "b"]; not startswith(input.image, y)',
  'y := input.x; z := 2; not f(input.o[y]) > z',
  'every y in ["a", "b"] { not startswith(input.image, y) }',
  'count([y | some y in ["a"]; not startswith(input.image, y)]) == 1',
  'x = 4; not f(input.x) > x',
]

const AGREES = [
  'not input.x',
  'not input.x == 1',
  'not opt',
  'not open',
  'not f(1)',
  'not count(listed) == 1',
  'not "a" in listed',
  'not g(3) == 2',
  'not always > 3',
  'not startswith("abc", "x")',
  'some y in input.list; not startswith(y, "x")',
]

const INPUTS = [
  '{}',
  '{"image": "xyz", "level": 5, "opt": 5, "x": 3, "list": ["a"], "o": {"3": 1, "k": true}, "k": "k"}',
  '{"image": "abc", "level": 1, "opt": 1, "x": 1, "list": ["b"], "o": {"k": false}, "k": "none"}',
]

/** The values of p for all inputs, in both dialects. */
function answers(text: string): { readonly service: string[]; readonly opa: string[] } {
  const of = (dialect: 'engine-0.9' | 'opa-1.2'): string[] => {
    const engine = createEngine({ modules: [{ name: 'p.rego', source: text }], dialect })
    return INPUTS.map((inputJson) => String(engine.evaluateRule('policy.p', { inputJson })))
  }
  return { service: of('engine-0.9'), opa: of('opa-1.2') }
}

/** The policy with its negated literal replaced by the form that lint shows. */
function repaired(text: string): string {
  const modules = [parseModule(new Source('p.rego', text))]
  const { policies } = contextOf(
    compileModules(modules, profileBuiltins('latest'), { types: typeCheck }),
  )
  let result = ''
  for (const rule of policies) {
    eachLiteral(rule, (literal) => {
      if (!literal.negated) return
      const form = agreedForm(rule, literal, new Set(['p']))
      const { start, end } = literal.span
      result = `${text.slice(0, start)}${form.literal}${text.slice(end)}\n${form.rule}\n`
    })
  }
  return result
}

describe.each(DIFFERS)('%s', (literal) => {
  const text = policy(literal)

  test('is found', () => {
    expect(found('undefined-negation', text)).toHaveLength(1)
  })

  test('has another answer in OPA 1.2; the form that is shown has that of the service in both', () => {
    const { service, opa } = answers(text)
    expect(opa).not.toEqual(service)
    expect(answers(repaired(text))).toEqual({ service, opa: service })
  })
})

test.each(AGREES)('%s is not found, and both agree', (literal) => {
  const text = policy(literal)
  expect(found('undefined-negation', text)).toEqual([])
  const { service, opa } = answers(text)
  expect(opa).toEqual(service)
})

test('the new rule has a name of its own', () => {
  const text = 'package policy\n\nholds := 1\n\np if not startswith(input.image, "x")'
  const modules = [parseModule(new Source('p.rego', text))]
  const { policies } = contextOf(
    compileModules(modules, profileBuiltins('latest'), { types: typeCheck }),
  )
  const rule = policies.find(({ rule: { body } }) => body.length > 0)
  const form = agreedForm(rule!, rule!.rule.body[0]!, new Set(['holds', 'p']))
  expect(form).toEqual({ rule: 'holds_2 if startswith(input.image, "x")', literal: 'not holds_2' })
})

import { profileBuiltins } from '../../builtins/capabilities.ts'
import { compileModules } from '../../compile/program.ts'
import { parseModule } from '../../syntax/parser.ts'
import { Source } from '../../syntax/source.ts'
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

/** A policy whose rule `p` has a literal, and other rules that it may refer to. */
export const policyWith = (literal: string): string =>
  `package policy\n${RULES}\np if {\n\t${literal}\n}\n`

/** Negations that OPA 1.2 answers differently for one of the inputs. */
export const DIFFERING: readonly string[] = [
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

export const INPUTS: readonly string[] = [
  '{}',
  '{"image": "xyz", "level": 5, "opt": 5, "x": 3, "list": ["a"], "o": {"3": 1, "k": true}, "k": "k"}',
  '{"image": "abc", "level": 1, "opt": 1, "x": 1, "list": ["b"], "o": {"k": false}, "k": "none"}',
]

/** The policy with its negated literal replaced by the form that lint shows. */
export function repaired(text: string): string {
  const modules = [parseModule(new Source('p.rego', text))]
  const { policies } = contextOf(compileModules(modules, profileBuiltins('latest')))
  let result = text
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

import { expect, it } from 'vitest'
import { coreBuiltins } from '../builtins/core.ts'
import { compileModules } from '../compile/program.ts'
import { parseModule } from '../syntax/parser.ts'
import { Source } from '../syntax/source.ts'
import { affectedBy } from './affected.ts'
import type { WithTarget } from './plan.ts'

const source = `package p

a := input.x
b := data.q.y
c := a
d := count([b])
e := f(1)
f(x) := x
g := 1
`
const program = compileModules(
  [parseModule(new Source('p.rego', source))],
  new Map(coreBuiltins.map((each) => [each.name, each])),
)

const input: WithTarget = { kind: 'input', path: ['x'] }
const data = (...path: string[]): WithTarget => ({ kind: 'data', path, hides: undefined })
const call = (name: string): WithTarget => ({ kind: 'function', name })

const names = (...targets: readonly WithTarget[]) =>
  [...affectedBy(program, targets)]
    .flatMap(({ rules }) => rules.map(({ path }) => path.at(-1)))
    .sort()

it('are the rules that read a target, directly or not', () => {
  expect(names(input)).toEqual(['a', 'c'])
  expect(names(data('q', 'y'))).toEqual(['b', 'd'])
  expect(names(data('q'))).toEqual(['b', 'd'])
  expect(names(data('q', 'z'))).toEqual([])
  expect(names(call('count'))).toEqual(['d'])
  expect(names(input, call('count'))).toEqual(['a', 'c', 'd'])
})

it('are one set for the same targets in any order, whatever part of the input is replaced', () => {
  const other: WithTarget = { kind: 'input', path: [] }
  expect(affectedBy(program, [input])).toBe(affectedBy(program, [other, input]))
  expect(affectedBy(program, [input, data('q')])).toBe(affectedBy(program, [data('q'), other]))
  expect(affectedBy(program, [data('q')])).not.toBe(affectedBy(program, [data('q', 'y')]))
})

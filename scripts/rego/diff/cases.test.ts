import { profileBuiltins } from 'polgate-rego/builtins/capabilities.ts'
import { expect, test } from 'vitest'
import { caseOf } from './cases.ts'
import { featuresOf, NODE_KINDS } from './features.ts'

const programs = Array.from({ length: 2_600 }, (_, index) => caseOf(1, index).program)

test('generated programs call every built-in of OPA 1.2 and have every kind of syntax', () => {
  const features = programs.map(featuresOf)
  const called = new Set(features.flatMap(({ calls }) => [...calls]))
  const used = new Set(features.flatMap(({ kinds }) => [...kinds]))
  expect([...profileBuiltins('opa-1.2').keys()].filter((name) => !called.has(name))).toEqual([])
  expect(NODE_KINDS.filter((kind) => !used.has(kind))).toEqual([])
})

test('generated programs have several modules, both modes, and replace all that can be replaced', () => {
  expect(new Set(programs.map(({ modules }) => modules.length))).toEqual(new Set([1, 2, 3]))
  expect(new Set(programs.map(({ strict }) => strict))).toEqual(new Set([true, false]))
  const replaced = programs.flatMap((each) =>
    [...featuresOf(each).calls].filter((name) => name.startsWith('with ')),
  )
  for (const target of [
    /^with input\./,
    /^with data\.base\./,
    /^with data\.gen\./,
    /^with count$/,
  ]) {
    expect(replaced.some((name) => target.test(name))).toBe(true)
  }
})

test('a program depends on its seed and its number only', () => {
  expect(caseOf(3, 14)).toEqual(caseOf(3, 14))
  expect(caseOf(3, 14).program.modules).not.toEqual(caseOf(4, 14).program.modules)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEngine } from '../engine.ts'
import { builtins } from './registry.ts'
import { compareYamlKeys } from './yamlKeys.ts'

/** As OPA 1.2 writes them. */
const ordered = [
  ...['', ' ', '-1', '[', '_', '{', '~', '0.5', '1', '01', '9', '10', '11', '1a', 'A', 'Z'],
  ...['a', 'a1', 'a9', 'a10', 'null', 'true', 'z', 'é'],
]

test('the members of YAML are in the order of OPA, or in that of their characters', () => {
  const source = 'package p\n\ntext := yaml.marshal(data.object)'
  const data = { object: Object.fromEntries(ordered.map((key) => [key, key])) }
  const keys = (dialect: 'engine-0.9' | 'opa-1.2') => {
    const modules = [{ name: 'p.rego', source }]
    const text = createEngine({ modules, data, builtins, dialect }).evaluateRule('p.text')
    return String(text)
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/^(['"]?)(.*)\1: .*$/, '$2'))
  }
  expect(keys('opa-1.2')).toEqual(ordered)
  expect(keys('engine-0.9')).toEqual(ordered.toSorted())
})

test('the comparison has one answer for two texts', () => {
  const key = fc.string({ unit: fc.constantFrom(...'019aZé-[_ '), maxLength: 6 })
  fc.assert(
    fc.property(key, key, (a, b) => {
      expect(Math.sign(compareYamlKeys(a, b))).toBe(-Math.sign(compareYamlKeys(b, a)) + 0)
      expect(compareYamlKeys(a, b) === 0).toBe(a === b)
    }),
  )
})

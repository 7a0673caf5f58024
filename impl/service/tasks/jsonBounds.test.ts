import fc from 'fast-check'
import { character } from 'polgate-lib/testing/character.ts'
import { property } from 'polgate-lib/testing/property.ts'
import { expect, it } from 'vitest'
import { jsonBounds } from './jsonBounds.ts'

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
    : 0
const countOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce<number>((sum, item) => sum + countOf(item), 0)
    : 1

property([fc.jsonValue({ maxDepth: 6, stringUnit: character }), fc.constantFrom(undefined, 2)])(
  'finds the exact depth, and at least the number of values',
  (value, space) => {
    const bounds = jsonBounds(JSON.stringify(value, null, space))
    expect(bounds.depth).toBe(depthOf(value))
    expect(bounds.values).toBeGreaterThanOrEqual(countOf(value))
    expect(bounds.values).toBeLessThanOrEqual(2 * countOf(value))
  },
)

it.each<[string, number]>([
  ['{"a":"[[[["}', 1],
  ['{"a":"\\"[[[["}', 1],
  ['{"a":"\\\\"}', 1],
  ['{"a":["\\\\",[]]}', 3],
  ['"never closed [[[', 0],
  ['', 0],
])('does not mistake string content for structure: %s', (text, depth) => {
  expect(jsonBounds(text).depth).toBe(depth)
})

property([fc.string()])('terminates on any text', (text) => {
  expect(jsonBounds(text).values).toBeGreaterThan(0)
})

it.each<[string, number]>([
  ['{"a":[12345,1.5e-7]}', 6],
  ['[1,"1234567890",-22]', 3],
  ['1234', 4],
  ['{"a":1234}', 4],
])('finds no number in %s longer than %i', (text, length) => {
  expect(jsonBounds(text).numberLength).toBe(length)
})

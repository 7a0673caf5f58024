import { expect, test } from 'vitest'
import { yamlNesting } from './yamlNesting.ts'

test.each([
  ['a: 1\nb: 2\n', 1],
  ['- 1\n- 2\n', 2],
  ['a:\n  b:\n    c: 1\nd: 1\n', 3],
  ['- - - 1\n', 4],
  ['[[1, 2], {a: [3]}]', 4],
  ['a: |\n  [[[[[[\nb: "[[[["\n', 1],
  ['a:\n- b:\n  - c\n', 3],
])('the nesting of %j', (text, depth) => {
  expect(yamlNesting(text)).toBe(depth)
})

test('deep nesting is computed without recursion', () => {
  expect(yamlNesting('['.repeat(50_000))).toBeGreaterThan(49_000)
  expect(yamlNesting('- '.repeat(50_000))).toBeGreaterThan(49_000)
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { character } from '../testing/character.ts'
import { property } from '../testing/property.ts'
import { applyDiff, jsonType, pathText, typedDiff } from './typedDiff.ts'

const brief = (expected: unknown, observed: unknown) =>
  typedDiff(expected, observed).map(({ path, kind }) => `${kind} ${pathText(path)}`)

describe('each difference has a path and a kind', () => {
  test.each([
    ['a member is missing', { a: 1, b: 2 }, { a: 1 }, ['missing $.b']],
    ['a member is extra', { a: 1 }, { a: 1, b: null }, ['extra $.b']],
    ['another value', { a: { b: 1 } }, { a: { b: 2 } }, ['value $.a.b']],
    ['a number in a string', { a: 1 }, { a: '1' }, ['type $.a']],
    ['null instead of an object', { a: {} }, { a: null }, ['type $.a']],
    ['an object instead of an array', { a: [1] }, { a: { 0: 1 } }, ['type $.a']],
    ['fewer elements', [1, 2, 3], [1], ['missing $[1]', 'missing $[2]']],
    ['more elements', [1], [2, [3]], ['value $[0]', 'extra $[1]']],
    ['the value itself', 1, 2, ['value $']],
    ['the type of the value itself', 'a', ['a'], ['type $']],
    ['unusual names', { 'a b': 1 }, { toString: 1 }, ['missing $["a b"]', 'extra $.toString']],
    ['another order of members', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
  ])('%s', (_, expected, observed, differences) => {
    expect(brief(expected, observed)).toEqual(differences)
  })

  test('in the order of the expected value, then of what only the other has', () => {
    const expected = { jsonrpc: '2.0', error: { code: -32602, data: [1, 2] }, id: '1' }
    const observed = { other: 1, jsonrpc: '2.0', error: { code: '-32602', data: [1, 3, 4] } }
    expect(brief(expected, observed)).toEqual([
      'type $.error.code',
      'value $.error.data[1]',
      'extra $.error.data[2]',
      'missing $.id',
      'extra $.other',
    ])
  })

  test('with both values', () => {
    expect(typedDiff({ a: 1 }, { a: '1' })).toEqual([
      { path: ['a'], kind: 'type', expected: 1, observed: '1' },
    ])
  })
})

test('a member called __proto__ is a member', () => {
  const named = JSON.parse('{"__proto__":{"a":1}}') as object
  expect(brief(named, {})).toEqual(['missing $.__proto__'])
  const applied = applyDiff({ a: 1 }, typedDiff({ a: 1 }, named)) as object
  expect(JSON.stringify(applied)).toBe('{"__proto__":{"a":1}}')
  expect(Object.getPrototypeOf(applied)).toBe(Object.prototype)
})

test('values of any depth are compared', () => {
  const deep = (end: number) => JSON.parse('['.repeat(20_000) + end + ']'.repeat(20_000)) as unknown
  expect(typedDiff(deep(1), deep(1))).toEqual([])
  const [difference] = typedDiff(deep(1), deep(2))
  expect(difference?.kind).toBe('value')
  expect(difference?.path).toHaveLength(20_000)
})

test.each([[undefined], [1n], [() => 1]])('%s is refused: no JSON value has it', (value) => {
  expect(() => jsonType(value)).toThrow(/pass what JSON.parse returned/)
})

/** Few names and scalars, so that two values often have something in common. */
const name = fc.oneof(
  fc.constantFrom('a', 'b', 'length', '__proto__', '0'),
  fc.string({ unit: character }),
)
const json = fc
  .letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, 0, 1, '', '1'),
      fc.array(tie('value'), { maxLength: 4 }),
      fc
        .array(fc.tuple(name, tie('value')), { maxLength: 4 })
        .map((some) => Object.fromEntries(some)),
    ),
  }))
  .value.map((value) => JSON.stringify(value))
const parsed = (text: string) => JSON.parse(text) as unknown

/** JSON with members in one order: equal texts, equal values. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`,
  )
  return `{${members.sort().join()}}`
}

property([json, json], { numRuns: 300 })('applied to one value they give the other', (a, b) => {
  const expected = parsed(a)
  const differences = typedDiff(expected, parsed(b))
  expect(canonical(applyDiff(expected, differences))).toBe(canonical(parsed(b)))
  // Neither of the values that are compared is changed.
  expect(JSON.stringify(expected)).toBe(a)
})

property([json, json], { numRuns: 300 })('there is none if and only if both are equal', (a, b) => {
  expect(typedDiff(parsed(a), parsed(a))).toEqual([])
  const equal = canonical(parsed(a)) === canonical(parsed(b))
  expect(typedDiff(parsed(a), parsed(b)).length === 0).toBe(equal)
})

property([json, json], { numRuns: 100 })('the other way round, missing is extra', (a, b) => {
  const other = { missing: 'extra', extra: 'missing', type: 'type', value: 'value' }
  const there = typedDiff(parsed(a), parsed(b)).map(({ path, kind }) => `${kind} ${pathText(path)}`)
  const back = typedDiff(parsed(b), parsed(a)).map(
    ({ path, kind }) => `${other[kind]} ${pathText(path)}`,
  )
  expect(back.toSorted()).toEqual(there.toSorted())
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ANY,
  arrayOf,
  NUMBER,
  record,
  STRING,
  setOf,
  type Type,
  tuple,
  union,
} from '../builtins/types.ts'
import { fromJson } from '../values/json.ts'
import { isArray, isObject } from '../values/value.ts'
import { join, keysOf, overlap, select, typeOfConstant, valuesOf } from './lattice.ts'
import { typeText } from './typeText.ts'

const value = fc.jsonValue({ maxDepth: 3 }).map((data) => fromJson(data))

describe('types of constants', () => {
  it('overlap with themselves and with every union that contains them', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [x, y] = [typeOfConstant(a), typeOfConstant(b)]
        expect(overlap(x, x)).toBe(true)
        expect(overlap(x, join([x, y]))).toBe(true)
        expect(overlap(x, y)).toBe(overlap(y, x))
        expect(overlap(x, ANY)).toBe(true)
      }),
    )
  })

  it('have the keys and values of the constant', () => {
    fc.assert(
      fc.property(value, (a) => {
        const entries = isArray(a)
          ? a.map((item, i) => [i, item] as const)
          : isObject(a)
            ? a.entries()
            : []
        const type = typeOfConstant(a)
        for (const [key, item] of entries) {
          expect(overlap(keysOf(type) as Type, typeOfConstant(key))).toBe(true)
          expect(overlap(valuesOf(type) as Type, typeOfConstant(item))).toBe(true)
          expect(overlap(select(type, key) as Type, typeOfConstant(item))).toBe(true)
        }
      }),
    )
  })
})

describe('overlap', () => {
  it.each([
    [tuple(NUMBER), arrayOf(NUMBER), true],
    [tuple(NUMBER), arrayOf(STRING), false],
    [tuple(NUMBER), tuple(NUMBER, NUMBER), false],
    [record({ a: NUMBER }), record({ a: STRING }), false],
    [record({ a: NUMBER }), record({ a: NUMBER, b: NUMBER }), false],
    [setOf(NUMBER), arrayOf(NUMBER), false],
    [union(NUMBER, STRING), STRING, true],
    [union(NUMBER, STRING), setOf(ANY), false],
  ] as const)('of %o and %o is %s', (a, b, expected) => {
    expect(overlap(a, b)).toBe(expected)
  })
})

it('prints types like OPA', () => {
  expect(typeText(join([STRING, NUMBER, STRING]))).toBe('any<number, string>')
  expect(typeText(typeOfConstant(fromJson({ a: [1, 'x'] })))).toBe(
    'object<a: array<number, string>>',
  )
  expect(typeText(setOf(ANY))).toBe('set[any]')
})

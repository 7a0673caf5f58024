import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LimitError } from '../errors.ts'
import { compare, compareStrings, equal } from './compare.ts'
import { fromJson, stringify, toJson } from './json.ts'
import { RegoObject } from './object.ts'
import { JsonError, parseJson } from './parseJson.ts'
import { RegoSet } from './set.ts'
import type { ObjectValue, SetValue, Value } from './value.ts'

/** Any code point but surrogates: the unit `binary` of fast-check makes a table of 85 MB first. */
const character = fc.nat({ max: 0x10f7ff }).map(
  (at) => String.fromCodePoint(at < 0xd800 ? at : at + 0x800),
  (text) => {
    const at = String(text).codePointAt(0) ?? 0
    return at < 0xd800 ? at : at - 0x800
  },
)

const set = (...members: Value[]): SetValue => RegoSet.from(members)
const object = (...entries: [Value, Value][]): ObjectValue => RegoObject.from(entries)

const anyValue: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<Value>(
      null,
      true,
      false,
      0,
      1,
      -1,
      2,
      0.5,
      2n ** 60n,
      '',
      'a',
      'ab',
      '😀',
      '\uffff',
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => set(...items)),
    fc
      .array(fc.tuple(tie('value'), tie('value')), { maxLength: 3 })
      .map((entries) => object(...entries)),
  ),
})).value

describe('order', () => {
  it('is null, booleans, numbers, strings, arrays, objects, sets', () => {
    const sorted: Value[] = [
      null,
      false,
      true,
      -1,
      0.5,
      1,
      2n ** 60n,
      '',
      'a',
      [],
      [0],
      object(),
      set(),
    ]
    const shuffled = [...sorted].reverse().sort((a, b) => compare(a, b))
    expect(shuffled).toEqual(sorted)
  })

  it('orders strings by code point, not by UTF-16 unit', () => {
    expect(compareStrings('\uffff', '😀')).toBe(-1)
    expect(compareStrings('😀', '\ue000')).toBe(1)
    expect(compareStrings('a', 'ab')).toBe(-1)
    const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
    fc.assert(
      fc.property(fc.string({ unit: character }), fc.string({ unit: character }), (a, b) => {
        expect(compareStrings(a, b)).toBe(byBytes(a, b))
      }),
    )
  })

  it('is total and agrees with equality', () => {
    fc.assert(
      fc.property(anyValue, anyValue, anyValue, (a, b, c) => {
        expect(compare(a, b)).toBe(-compare(b, a) + 0)
        expect(equal(a, b)).toBe(compare(a, b) === 0)
        if (compare(a, b) <= 0 && compare(b, c) <= 0) expect(compare(a, c)).toBeLessThanOrEqual(0)
      }),
    )
  })

  it('compares objects by key and value, in order', () => {
    expect(compare(object(['a', 2]), object(['a', 1], ['b', 0]))).toBe(1)
    expect(compare(object(['a', 1]), object(['a', 1], ['b', 0]))).toBe(-1)
  })
})

describe('objects and sets', () => {
  it('find any value as a key', () => {
    const keys: Value[] = [null, 1, 2n ** 60n, '1', [1], ['1'], set(1), object([1, 2]), object()]
    const all = object(...keys.map((key, i): [Value, Value] => [key, i]))
    expect(all.size).toBe(keys.length)
    keys.forEach((key, i) => {
      expect(all.get(key)).toBe(i)
    })
    expect(all.get(set('1'))).toBeUndefined()
    expect(set([1, set(2, 3)]).has([1, set(3, 2)])).toBe(true)
  })

  it('treat names of the prototype as plain keys', () => {
    const empty = object()
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(empty.get(name)).toBeUndefined()
      expect(object([name, 1]).get(name)).toBe(1)
    }
    const parsed = parseJson('{"__proto__": {"x": 1}}')
    expect(stringify(parsed)).toBe('{"__proto__":{"x":1}}')
    expect(Object.keys(toJson(parsed) as object)).toEqual(['__proto__'])
  })

  it('sort after each change, and copies are independent', () => {
    const a = object(['b', 1])
    expect(a.keys()).toEqual(['b'])
    const b = a.copy().set('a', 2).set([1], 3)
    expect(a.size).toBe(1)
    expect(b.entries()).toEqual([
      ['a', 2],
      ['b', 1],
      [[1], 3],
    ])
    b.delete([1])
    expect(b.keys()).toEqual(['a', 'b'])
    const s = set(2, 'x')
    expect(s.copy().add(1).values()).toEqual([1, 2, 'x'])
    expect(s.values()).toEqual([2, 'x'])
  })
})

describe('JSON', () => {
  it('preserves all digits of integers', () => {
    const text = '[9007199254740993,-123456789012345678901234567890,1.5,1e3,10.0,-0,1e30]'
    expect(stringify(parseJson(text))).toBe(
      '[9007199254740993,-123456789012345678901234567890,1.5,1000,10,0,1000000000000000000000000000000]',
    )
  })

  it('agrees with JSON.parse', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseJson(text)).toEqual(fromJson(JSON.parse(text)))
      }),
    )
  })

  it('parses escapes, and uses the last of repeated members', () => {
    expect(parseJson('"a\\u0062\\n\\ud83d\\ude00\\ud800x"')).toBe('ab\n😀\ufffdx')
    expect(stringify(parseJson('{"a":1,"a":[2]}'))).toBe('{"a":[2]}')
  })

  it.each([
    '',
    '{',
    '[1,]',
    '{"a":1,}',
    '01',
    '1.',
    '+1',
    "'a'",
    '"\n"',
    '"\\x"',
    'nul',
    '1 2',
    'NaN',
  ])('refuses %j', (text) => {
    expect(() => parseJson(text)).toThrow(JsonError)
  })

  it('limits depth and digits', () => {
    const deep = '['.repeat(100_000)
    expect(() => parseJson(deep)).toThrow(LimitError)
    expect(() => parseJson('1e1000000')).toThrow(LimitError)
    let nested: Value = 1
    for (let i = 0; i < 50_000; i++) nested = [nested]
    let other: Value = 1
    for (let i = 0; i < 50_000; i++) other = [other]
    expect(() => stringify(nested)).toThrow(LimitError)
    expect(() => compare(nested, other)).toThrow(LimitError)
    expect(() => equal(nested, other)).toThrow(LimitError)
    expect(() => set(nested)).toThrow(LimitError)
  })

  it('writes sets as sorted arrays, and other keys as their text', () => {
    expect(stringify(object([[1], set(2, 1)], ['a', 1], [3, 'x']))).toBe(
      '{"3":"x","[1]":[1,2],"a":1}',
    )
    expect(toJson(object([true, set('b', 'a')]))).toEqual({ true: ['a', 'b'] })
    expect(stringify('<&>\u2028', { html: true })).toBe('"\\u003c\\u0026\\u003e\\u2028"')
  })
})

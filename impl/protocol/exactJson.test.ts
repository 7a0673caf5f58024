import fc from 'fast-check'
import { character } from 'polgate-lib/testing/character.ts'
import { describe, expect, it } from 'vitest'
import {
  JsonError,
  numberToken,
  parseExact,
  parseParts,
  RawJson,
  stringifyExact,
} from './exactJson.ts'

describe('writing', () => {
  it('writes integers of any size as numbers', () => {
    expect(stringifyExact({ a: 2n ** 200n, b: [-1n, { c: 0n }] })).toBe(
      `{"a":${2n ** 200n},"b":[-1,{"c":0}]}`,
    )
  })

  it('inserts raw JSON unchanged', () => {
    expect(stringifyExact({ a: new RawJson('{"b": 1.0}') })).toBe('{"a":{"b": 1.0}}')
  })

  it('equals JSON.stringify for everything else, also next to a bigint', () => {
    const value = {
      text: 'é"\\\n\u2028\ud800',
      none: undefined,
      nothing: null,
      list: [undefined, null, () => 1],
      call: () => 1,
      date: new Date(0),
      infinite: Number.POSITIVE_INFINITY,
      ['__proto__']: 1,
    }
    const plain = JSON.stringify(value)
    expect(stringifyExact(value)).toBe(plain)
    expect(stringifyExact({ ...value, last: 1n })).toBe(`${plain.slice(0, -1)},"last":1}`)
    expect(stringifyExact(undefined)).toBe('null')
  })

  it('throws on a circular structure', () => {
    const circle: { self?: unknown; n: bigint } = { n: 1n }
    circle.self = circle
    expect(() => stringifyExact(circle)).toThrow(RangeError)
  })
})

describe('reading', () => {
  const digits = '123456789012345678901234567890'

  it('reads integers beyond 2^53 as bigint, all other numbers as number', () => {
    expect(parseExact(`[${digits},-${digits},9007199254740993,9007199254740991,1.5,1e3]`)).toEqual([
      BigInt(digits),
      -BigInt(digits),
      9007199254740993n,
      9007199254740991,
      1.5,
      1000,
    ])
  })

  it('finds numbers anywhere and ignores strings', () => {
    expect(parseExact(`{"${digits}":"${digits}","\\"${digits}":{"a":[[${digits}]]}}`)).toEqual({
      [digits]: digits,
      [`"${digits}`]: { a: [[BigInt(digits)]] },
    })
    expect(parseExact(digits)).toBe(BigInt(digits))
  })

  it.each([
    `0${digits}`,
    `-0${digits}`,
    `{${digits}:1}`,
    `${digits}x`,
    `${digits} 1`,
    `+${digits}`,
    `.${digits}`,
    `${digits}.`,
    `"${digits}`,
    `[${digits}`,
  ])('%s is not JSON', (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
    expect(() => parseExact(text)).toThrow(SyntaxError)
  })

  it('rejects numbers out of range and excessive depth', () => {
    expect(() => parseExact('[1e400]')).toThrow(JsonError)
    expect(() => parseExact('[-1e999]')).toThrow('number out of range')
    expect(parseExact('[1e-400]')).toEqual([0])
    expect(parseExact('[[[]]]', 3)).toEqual([[[]]])
    expect(() => parseExact('[[[[]]]]', 3)).toThrow('nested deeper than 3 levels')
    expect(parseExact('[[],[],{},{}]', 2)).toEqual([[], [], {}, {}])
  })

  it('reports by part what cannot be used, and keeps tokens', () => {
    const { value, exact } = parseParts(
      '{"a":[1e400],"b":1.0,"c":[[[-0]]],"d":7,"e":{"f":1.50}}',
      2,
    )
    const parts = value as Record<string, unknown>
    expect(() => exact(parts.a)).toThrow('number out of range')
    expect(() => exact(parts.c)).toThrow('nested deeper than 2 levels')
    expect(exact(parts.e)).toEqual({ f: 1.5 })
    expect([exact(parts.b), exact(parts.d)]).toEqual([1, 7])
    expect([numberToken(parts.b), numberToken(parts.d), numberToken(parts.e)]).toEqual([
      '1.0',
      undefined,
      undefined,
    ])
  })

  it('keeps __proto__ as a plain member', () => {
    const value = parseExact(`{"__proto__":{"a":${digits}}}`) as object
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.keys(value)).toEqual(['__proto__'])
  })
})

/** An exact integer, rounded to a double. */
function rounded(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(rounded)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rounded(member)]))
}

it('any JSON is parsed like JSON.parse', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: character }), (value) => {
      const text = JSON.stringify(value)
      expect(rounded(parseExact(text, 1000))).toEqual(JSON.parse(text))
    }),
  )
})

it('integers round-trip', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 2n ** 53n, max: 2n ** 300n })), (numbers) => {
      expect(parseExact(stringifyExact({ numbers }))).toEqual({ numbers })
    }),
  )
})

it('any text is parsed like JSON.parse, or rejected by both', () => {
  const anyText = fc.string({ unit: fc.constantFrom(...'{}[]",:\\ 0123456789-+.eEtruefalsn') })
  fc.assert(
    fc.property(anyText, (text) => {
      let expected: unknown
      try {
        expected = JSON.parse(text)
      } catch {
        expect(() => parseExact(text)).toThrow()
        return
      }
      if (!/\d{16}|e/i.test(text)) expect(parseExact(text)).toEqual(expected)
    }),
    { numRuns: 2000 },
  )
})

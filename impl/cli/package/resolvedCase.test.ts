import fc from 'fast-check'
import { parseExact, stringifyExact } from 'polgate-protocol/exactJson.ts'
import { describe, expect, test } from 'vitest'
import { changed, packageArguments, sharedArguments } from './resolvedCase.ts'

const names = fc.constantFrom('symbol', 'limit', '__proto__', 'größe')
const values = fc.oneof(
  fc.constantFrom('ETH', 1, null),
  fc.bigInt({ min: 2n ** 60n, max: 2n ** 70n }),
)
const objects = fc
  .array(fc.tuple(names, values), { maxLength: 3 })
  .map((members) => new Map(members))

/** Members written by hand: a member `__proto__` is one like any other. */
const textOf = (object: ReadonlyMap<string, unknown>) =>
  `{${[...object].map(([name, value]) => `${JSON.stringify(name)}:${stringifyExact(value)}`).join(',')}}`

const oracles = fc
  .array(fc.option(objects, { nil: undefined }), { maxLength: 4 })
  .map((all) => all.map((object, at) => ({ id: `oracle${at}`, object })))

describe('the arguments of several oracles', () => {
  test('have every member with its value, or are refused where two values differ', () => {
    fc.assert(
      fc.property(oracles, (all) => {
        const args = all.map(({ id, object }) => ({
          id,
          text: object === undefined ? '' : textOf(object),
        }))
        const seen = new Map<string, string>()
        const members = all.flatMap(({ object = new Map() }) => [...object])
        const isConflict = members.some(([name, value]) => {
          const text = stringifyExact(value)
          const known = seen.get(name) ?? text
          seen.set(name, text)
          return known !== text
        })
        if (isConflict) {
          expect(() => sharedArguments(args)).toThrow(/different values of the argument/)
          return
        }
        const shared = sharedArguments(args)
        const found = Object.entries(shared === '' ? {} : (parseExact(shared) as object))
        expect(new Map(found.map(([name, value]) => [name, stringifyExact(value)]))).toEqual(seen)
      }),
      { numRuns: 2_000 },
    )
  })

  test('of one oracle stay as they are written', () => {
    const text = '{ "a": 1.0,\n "a": 2 }'
    expect(sharedArguments([{ id: 'one', text }])).toBe(text)
    expect(
      sharedArguments([
        { id: 'one', text },
        { id: 'other', text: '' },
      ]),
    ).toBe(text)
    expect(sharedArguments([{ id: 'one', text: 'any text' }])).toBe('any text')
  })

  test('that are not objects cannot be combined', () => {
    const args = [
      { id: 'one', text: '{}' },
      { id: 'other', text: '[1]' },
    ]
    expect(() => sharedArguments(args)).toThrow('oracle other are not a JSON object')
  })

  test('of a case take the place of those of the package', () => {
    const file = { path: '/package/args.json', text: '{"a":1}' }
    const all = packageArguments(
      [
        { id: 'one', wasmArgs: file },
        { id: 'other', wasmArgs: undefined },
      ],
      { one: { a: 2 }, other: 'b' },
    )
    expect(all).toEqual([
      { id: 'one', text: '{"a":2}' },
      { id: 'other', text: 'b' },
    ])
  })
})

test('changes replace members, and null removes them', () => {
  expect(changed({ a: 1, b: 2, c: 3 }, { b: 4, c: null, d: 5 })).toEqual({ a: 1, b: 4, d: 5 })
  expect(changed({ a: 1 })).toEqual({ a: 1 })
})

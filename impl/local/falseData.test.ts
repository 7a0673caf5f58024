import fc from 'fast-check'
import { settle } from 'polgate-service/tasks/settle.ts'
import { describe, expect, it } from 'vitest'
import { falseData } from './falseData.ts'

describe('false data', () => {
  it.each<[string, string, string?]>([
    ['{"price":2000}', '{"price":4000}', '{"price":8000}'],
    ['{"rate":1.25,"id":9007199254740993}', '{"rate":2.50,"id":18014398509481986}'],
    ['{"price":-3e40}', '{"price":-6e40}'],
    ['{"small":0.001}', '{"small":0.002}'],
    ['{"zero":0,"other":0.00}', '{"zero":2,"other":2}', '{"zero":4,"other":4}'],
    ['{"listed":false,"name":"a"}', '{"listed":true,"name":"a"}'],
    ['{"name":"a"}', '{"name":"a","lie":true}'],
    ['{}', '{"lie":true}'],
    ['no JSON', '{"lie":true}'],
  ])('of %s', (output, first, second) => {
    expect(falseData(output, 0)).toBe(first)
    if (second !== undefined) expect(falseData(output, 1)).toBe(second)
  })

  it('settles on nothing, with any number of liars or the truth', () => {
    const id = (at: number) => `0x${at.toString(16).padStart(64, '0')}` as const
    // Each of these operators has a quarter of the stake, and two are needed.
    const stake = {
      weight: (ids: readonly string[]) => BigInt(ids.length),
      reached: (ids: readonly string[]) => ids.length >= 2,
    }
    const numbers = fc.dictionary(fc.string(), fc.oneof(fc.integer(), fc.double({ noNaN: true })), {
      minKeys: 1,
    })
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 4 }), (data, liars) => {
        const output = JSON.stringify(data, (_, value) =>
          typeof value === 'number' && !Number.isFinite(value) ? 1 : value,
        )
        const answers = [0, 1, 2, 3].map((at) => ({
          id: id(at),
          outputs: [at < liars ? falseData(output, at) : output],
        }))
        const { outputs } = settle(answers, stake)
        const honest = settle([{ id: id(9), outputs: [output] }], { ...stake, reached: () => true })
        if (outputs !== null) expect(outputs).toEqual(honest.outputs)
        if (liars > 2) expect(outputs).toBeNull()
      }),
      { numRuns: 200 },
    )
  })
})

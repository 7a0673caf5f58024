import fc from 'fast-check'
import { property } from 'polgate-lib/testing/property.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { describe, expect, it } from 'vitest'
import { formatTree, parseTree } from './numberLeaves.ts'
import { settle, settling } from './settle.ts'

const id = (n: number): Bytes32 => `0x${String(n).padStart(64, '0')}`
/** Stakes 40, 30, 20, 10; the quorum is two thirds. */
const stakes = new Map([40n, 30n, 20n, 10n].map((stake, at) => [id(at), stake]))
const weight = (ids: readonly Bytes32[]) => ids.reduce((sum, at) => sum + stakes.get(at)!, 0n)
const rule = { weight, reached: (ids: readonly Bytes32[]) => weight(ids) * 100n >= 100n * 67n }
const saw = (...outputs: (string | undefined)[]) =>
  outputs.flatMap((output, at) => (output === undefined ? [] : [{ id: id(at), outputs: [output] }]))

describe('decision T8', () => {
  it('preserves equal data to the digit', () => {
    const text = '{"p":{"wei":123456789012345678901234567890,"rate":1.10,"ok":true}}'
    expect(settle(saw(text, text, text, text), rule)).toEqual({
      outputs: [text],
      conforming: [id(0), id(1), id(2), id(3)],
      deviating: [],
    })
  })

  it('sets numbers within a tenth of the median to the median', () => {
    const { outputs, deviating } = settle(
      saw('{"price":100}', '{"price":104}', '{"price":96}', '{"price":101}'),
      rule,
    )
    expect(outputs).toEqual(['{"price":100}'])
    expect(deviating).toEqual([])
  })

  it('accepts exactly a tenth and rejects more', () => {
    const edge = settle(saw('{"x":100}', '{"x":100}', '{"x":110}', '{"x":110.1}'), rule)
    expect(edge.conforming).toEqual([id(0), id(1), id(2)])
    expect(edge.deviating).toEqual([{ id: id(3), how: 'deviates' }])
  })

  it('lists an operator whose other leaves differ, and settles on the quorum', () => {
    const { outputs, deviating } = settle(
      saw('{"a":"x"}', '{"a":"x"}', '{"a":"y"}', '{"a":"x"}'),
      rule,
    )
    expect(outputs).toEqual(['{"a":"x"}'])
    expect(deviating).toEqual([{ id: id(2), how: 'differs' }])
  })

  it('ignores the order of members', () => {
    const { outputs } = settle(saw('{"a":1,"b":"z"}', '{"b":"z","a":1}', '{"a":1,"b":"z"}'), rule)
    expect(outputs).not.toBeNull()
    expect(JSON.parse(outputs![0]!)).toEqual({ a: 1, b: 'z' })
  })

  it('settles nothing if the agreeing operators hold less than the quorum', () => {
    expect(settle(saw('{"a":"x"}', '{"a":"y"}', '{"a":"x"}'), rule).outputs).toBeNull()
    expect(settle(saw('{"a":1}', '{"a":2}', '{"a":3}', '{"a":4}'), rule).outputs).toBeNull()
    expect(settle([], rule).outputs).toBeNull()
  })

  it('needs at least one agreeing operator at any threshold', () => {
    const anyone = { weight, reached: () => true }
    expect(settle([], anyone).outputs).toBeNull()
  })
})

describe('numbers weighted by stake', () => {
  it('are not moved by many operators with little stake', () => {
    // One operator with 90 against nine with 10 in total, who would hold an unweighted median.
    const heads = Array.from({ length: 10 }, (_, at) => ({
      id: id(at),
      stake: at === 0 ? 90n : at === 1 ? 2n : 1n,
    }))
    const own = new Map(heads.map(({ id: each, stake }) => [each, stake]))
    const weigh = (ids: readonly Bytes32[]) => ids.reduce((sum, each) => sum + own.get(each)!, 0n)
    const answers = heads.map(({ id: each }, at) => ({
      id: each,
      outputs: [at === 0 ? '{"x":100}' : '{"x":109}'],
    }))
    const { outputs, deviating } = settle(answers, {
      weight: weigh,
      reached: (ids) => weigh(ids) >= 67n,
    })
    expect(outputs).toEqual(['{"x":100}'])
    expect(deviating).toEqual([])
  })

  it('tries the next group if the one with the most stake does not agree', () => {
    // 60 have the same shape with different numbers; 40 agree, which is this threshold.
    const low = { weight, reached: (ids: readonly Bytes32[]) => weight(ids) >= 40n }
    const answers = saw('{"a":"x"}', '{"b":1}', '{"b":5}', '{"b":9}')
    const { outputs, conforming, deviating } = settle(answers, low)
    expect(outputs).toEqual(['{"a":"x"}'])
    expect(conforming).toEqual([id(0)])
    expect(deviating.map(({ how }) => how)).toEqual(['differs', 'differs', 'differs'])
  })

  it('use the notation and member order with the most stake', () => {
    const { outputs } = settle(
      saw('{"n":1e2,"a":1}', '{"a":1,"n":100}', '{"a":1,"n":100}', '{"n":1e2,"a":1}'),
      {
        weight: (ids) =>
          ids.reduce((sum, each) => sum + (each === id(1) ? 45n : stakes.get(each)!), 0n),
        reached: () => true,
      },
    )
    expect(outputs).toEqual(['{"a":1,"n":100}'])
  })

  it.each(['1e999', '-1e999', '1e-999', '-0', `1${'0'.repeat(400)}`, '1e99999999999'])(
    'stay within honest data if one operator reports %s',
    (odd) => {
      const { outputs, deviating } = settle(
        saw('{"x":100}', '{"x":101}', '{"x":100}', `{"x":${odd}}`),
        rule,
      )
      expect(outputs).toEqual(['{"x":100}'])
      expect(deviating).toEqual([{ id: id(3), how: 'deviates' }])
    },
  )

  it('settles numbers beyond the range of doubles', () => {
    const { outputs, deviating } = settle(
      saw('{"x":1.00e999}', '{"x":1.01e999}', '{"x":1.02e999}', '{"x":2e999}'),
      rule,
    )
    expect(outputs).toEqual(['{"x":1.01e999}'])
    expect(deviating).toEqual([{ id: id(3), how: 'deviates' }])
  })

  it.each<[string, string]>(
    [
      ['composed and decomposed letters', '{"\u00e9":1}'],
      ['a longer array', '{"a":[1,2,3]}'],
      ['a key of a prototype', '{"__proto__":{"a":1}}'],
      ['null', '{"a":null}'],
    ].map(([name, text]) => [name!, text!]),
  )('distinguishes %s', (_, text) => {
    const honest = text === '{"\u00e9":1}' ? '{"e\u0301":1}' : '{"a":[1,2]}'
    const { outputs, deviating } = settle(saw(honest, honest, honest, text), rule)
    expect(outputs).toEqual([honest])
    expect(deviating).toEqual([{ id: id(3), how: 'differs' }])
  })

  const operator = fc.record({
    stake: fc.bigInt({ min: 1n, max: 100n }),
    honest: fc.boolean(),
    // Honest operators have one shape with any numbers; the others have anything.
    number: fc.integer({ min: 900, max: 1_100 }),
    lie: fc.oneof(
      fc.integer({ min: 0, max: 3_000 }).map((x) => `{"p":{"x":${x}}}`),
      fc.constantFrom('{"p":{"x":1e999}}', '{"p":{"x":-0}}', '{"p":{"x":"1000"}}', '{}'),
    ),
  })
  property([fc.array(operator, { minLength: 1, maxLength: 24 }), fc.integer({ min: 1, max: 100 })])(
    'lie between two honest numbers while the others hold less than half the threshold',
    (drawn, threshold) => {
      const total = drawn.reduce((sum, { stake }) => sum + stake, 0n)
      const lying = drawn
        .filter(({ honest }) => !honest)
        .reduce((sum, { stake }) => sum + stake, 0n)
      fc.pre(lying * 200n < total * BigInt(threshold))
      const own = new Map(drawn.map(({ stake }, at) => [id(at), stake]))
      const weigh = (ids: readonly Bytes32[]) => ids.reduce((sum, each) => sum + own.get(each)!, 0n)
      const { outputs, conforming, deviating } = settle(
        drawn.map(({ honest, number, lie }, at) => ({
          id: id(at),
          outputs: [honest ? `{"p":{"x":${number}}}` : lie],
        })),
        { weight: weigh, reached: (ids) => weigh(ids) * 100n >= total * BigInt(threshold) },
      )
      expect(conforming.length + deviating.length).toBe(drawn.length)
      if (outputs === null) return
      const seen = drawn.filter(({ honest }) => honest).map(({ number }) => number)
      const { x } = JSON.parse(outputs[0]!).p
      expect(x).toBeGreaterThanOrEqual(Math.min(...seen))
      expect(x).toBeLessThanOrEqual(Math.max(...seen))
      // Every settled number is one that was reported, possibly by a liar, between two honest ones.
      const told = drawn.map(({ honest, number, lie }) => (honest ? number : JSON.parse(lie).p?.x))
      expect(told).toContain(x)
    },
  )

  it('may be the number of a liar if it lies between honest numbers', () => {
    const { outputs } = settle(saw('{"x":901}', '{"x":900}', '{"x":902}'), {
      ...rule,
      reached: (ids) => weight(ids) * 2n >= 90n,
    })
    expect(outputs).toEqual(['{"x":901}'])
  })

  property([fc.array(operator, { minLength: 1, maxLength: 24 })])(
    'are the honest number if honest operators agree and hold the quorum',
    (drawn) => {
      const total = drawn.reduce((sum, { stake }) => sum + stake, 0n)
      const honest = drawn.filter((each) => each.honest).reduce((sum, { stake }) => sum + stake, 0n)
      fc.pre(honest * 100n >= total * 67n)
      const own = new Map(drawn.map(({ stake }, at) => [id(at), stake]))
      const weigh = (ids: readonly Bytes32[]) => ids.reduce((sum, each) => sum + own.get(each)!, 0n)
      const { outputs, conforming } = settle(
        drawn.map((each, at) => ({
          id: id(at),
          outputs: [each.honest ? '{"p":{"x":1000}}' : each.lie],
        })),
        { weight: weigh, reached: (ids) => weigh(ids) * 100n >= total * 67n },
      )
      expect(outputs).toEqual(['{"p":{"x":1000}}'])
      for (const [at, each] of drawn.entries())
        if (each.honest) expect(conforming).toContain(id(at))
    },
  )
})

property([fc.jsonValue({ maxDepth: 6 })])('serializing a tree returns the parsed JSON', (value) => {
  const text = JSON.stringify(value)
  expect(formatTree(parseTree(text))).toBe(JSON.stringify(JSON.parse(text)))
})

it('settles many numbers of many operators in short steps', () => {
  const outputs = (at: number) => [
    JSON.stringify({ many: Array.from({ length: 5_000 }, (_, place) => place + 1 + at / 100) }),
  ]
  const ids = Array.from(
    { length: 16 },
    (_, at) => `0x${at.toString(16).padStart(64, '0')}` as const,
  )
  const answers = ids.map((id, at) => ({ id, outputs: outputs(at) }))
  const stake = {
    reached: (some: readonly string[]) => some.length > 8,
    weight: (some: readonly string[]) => BigInt(some.length),
  }
  const work = settling(answers, stake)
  let steps = 0
  let step = work.next()
  for (; !step.done; step = work.next()) steps += 1
  // One step per operator to parse, to compare and to serialize, and one per few thousand numbers.
  expect(steps).toBeGreaterThan((16 * 5_000) / 4_096 + 2 * 16)
  expect(step.value).toEqual(settle(answers, stake))
})

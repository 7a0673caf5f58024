import { fc, test as prop } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import type { Bytes32 } from '../protocol/scalars.ts'
import { formatTree, parseTree } from './numberLeaves.ts'
import { settle } from './settle.ts'

const id = (n: number): Bytes32 => `0x${String(n).padStart(64, '0')}`
/** Stakes 40, 30, 20, 10; two thirds are needed. */
const stakes = new Map([40n, 30n, 20n, 10n].map((stake, at) => [id(at), stake]))
const weight = (ids: readonly Bytes32[]) => ids.reduce((sum, at) => sum + stakes.get(at)!, 0n)
const rule = { weight, reached: (ids: readonly Bytes32[]) => weight(ids) * 100n >= 100n * 67n }
const saw = (...outputs: (string | undefined)[]) =>
  outputs.flatMap((output, at) => (output === undefined ? [] : [{ id: id(at), outputs: [output] }]))

describe('decision T8', () => {
  it('keeps equal data as it is, to the digit', () => {
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

  it('accepts exactly a tenth and refuses more', () => {
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

  it('does not care for the order of members', () => {
    const { outputs } = settle(saw('{"a":1,"b":"z"}', '{"b":"z","a":1}', '{"a":1,"b":"z"}'), rule)
    expect(outputs).not.toBeNull()
    expect(JSON.parse(outputs![0]!)).toEqual({ a: 1, b: 'z' })
  })

  it('settles nothing when those who agree hold less than the quorum', () => {
    expect(settle(saw('{"a":"x"}', '{"a":"y"}', '{"a":"x"}'), rule).outputs).toBeNull()
    expect(settle(saw('{"a":1}', '{"a":2}', '{"a":3}', '{"a":4}'), rule).outputs).toBeNull()
    expect(settle([], rule).outputs).toBeNull()
  })

  it('never lets nobody agree, whatever the threshold', () => {
    const anyone = { weight, reached: () => true }
    expect(settle([], anyone).outputs).toBeNull()
  })
})

prop.prop([fc.jsonValue({ maxDepth: 6 })])('a tree writes the JSON it was read from', (value) => {
  const text = JSON.stringify(value)
  expect(formatTree(parseTree(text))).toBe(JSON.stringify(JSON.parse(text)))
})

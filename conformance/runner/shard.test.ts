import { describe, expect, test } from 'vitest'
import { checks } from '../checks/catalogue.ts'
import type { Check } from '../core/check.ts'
import { expectedMs } from '../core/durations.ts'
import { ofShard, parseShard } from './shard.ts'

const parts = (count: number) =>
  Array.from({ length: count }, (_, i) => ofShard(checks, { index: i + 1, count }).own)
const ids = (some: readonly { id: string }[]) => some.map(({ id }) => id).sort()

describe('shards of a run', () => {
  test.each([1, 2, 3, 7])('%i shards contain every check once', (count) => {
    expect(ids(parts(count).flat())).toEqual(ids(checks))
  })

  test('have the same amount of work, and of exclusive work', () => {
    const timeOf = (some: readonly Check[]) =>
      some.reduce((sum, check) => sum + expectedMs(check), 0)
    for (const times of [
      parts(3).map(timeOf),
      parts(3).map((part) => timeOf(part.filter((check) => check.exclusive))),
    ])
      expect(Math.max(...times) - Math.min(...times)).toBeLessThan(Math.max(...times) / 10)
  })

  test('do not depend on the order of the checks', () => {
    const [first] = parts(2)
    const turned = ofShard([...checks].reverse(), { index: 1, count: 2 }).own
    expect(ids(turned)).toEqual(ids(first!))
  })

  test('name the checks of the other shards too', () => {
    const { own, others } = ofShard(checks, { index: 2, count: 4 })
    expect(ids([...own, ...others])).toEqual(ids(checks))
  })

  test('are named as index of count', () => {
    expect(parseShard('2/4')).toEqual({ index: 2, count: 4 })
    for (const wrong of ['0/2', '3/2', '1', '1/0', 'a/b', '1/2/3', '1/99999'])
      expect(() => parseShard(wrong)).toThrow('is not a shard')
    expect(() => ofShard(checks.slice(0, 1), { index: 2, count: 2 })).toThrow('has no check')
  })
})

import { expect, test } from 'vitest'
import { createDeliverySlots } from './deliverySlots.ts'

/** The claims if every key had enough to send. */
function claim(
  lanes: ReturnType<typeof createDeliverySlots>,
  keys: readonly string[],
  perKey: number,
) {
  const freeSlots = lanes.freeSlots()
  const claimed = keys
    .flatMap((key) => Array<string>(Math.max(0, freeSlots.get(key) ?? perKey)).fill(key))
    .slice(0, lanes.free())
  for (const key of claimed) lanes.enter(key)
  return claimed
}

test('a key has a maximum number of slots', () => {
  const lanes = createDeliverySlots({ total: 8, perKey: 3 })
  expect(claim(lanes, ['a'], 3)).toEqual(['a', 'a', 'a'])
  expect(claim(lanes, ['a', 'b'], 3)).toEqual(['b', 'b', 'b'])
  expect(lanes.free()).toBe(2)
  lanes.leave('a', true)
  expect(claim(lanes, ['a', 'b'], 3)).toEqual(['a'])
})

test('a silent receiver has one slot until it responds', () => {
  const lanes = createDeliverySlots({ total: 8, perKey: 3 })
  claim(lanes, ['a'], 3)
  for (let n = 0; n < 3; n++) lanes.leave('a', false)
  expect(claim(lanes, ['a'], 3)).toEqual(['a'])
  expect(claim(lanes, ['a'], 3)).toEqual([])
  lanes.leave('a', true)
  expect(claim(lanes, ['a'], 3)).toEqual(['a', 'a', 'a'])
})

test('half of the slots are reserved for receivers that respond', () => {
  const lanes = createDeliverySlots({ total: 8, perKey: 3 })
  const dead = Array.from({ length: 20 }, (_, n) => `dead${n}`)
  for (const key of dead) {
    lanes.enter(key)
    lanes.leave(key, false)
  }
  expect(claim(lanes, dead, 3)).toHaveLength(4)
  expect(claim(lanes, [...dead, 'good'], 3)).toEqual(['good', 'good', 'good'])
})

test('silent receivers get slots in turn, even if unused', () => {
  const lanes = createDeliverySlots({ total: 4, perKey: 2 })
  const dead = Array.from({ length: 10 }, (_, n) => `dead${n}`)
  for (const key of dead) {
    lanes.enter(key)
    lanes.leave(key, false)
  }
  const offered = new Set<string>()
  for (let turn = 0; turn < 5; turn++)
    for (const [key, room] of lanes.freeSlots()) if (room > 0) offered.add(key)
  expect(offered.size).toBe(10)
})

test('leaves nothing behind', () => {
  const lanes = createDeliverySlots({ total: 4, perKey: 2 })
  claim(lanes, ['a', 'b'], 2)
  for (const key of ['a', 'a', 'b', 'b']) lanes.leave(key, true)
  expect(lanes.free()).toBe(4)
  expect(lanes.freeSlots().size).toBe(0)
})

import { expect, it } from 'vitest'
import { createBufferedBytes } from './bufferedBytes.ts'

it('is full for the key that has more than its limit, until it has read', () => {
  const buffered = createBufferedBytes({ bufferedBytesPerKey: 10, bufferedBytesInTotal: 1_000 })
  buffered.add('a', 10)
  expect(buffered.isFull('a')).toBe(false)
  const read = buffered.add('a', 1)
  expect(buffered.isFull('a')).toBe(true)
  expect(buffered.isFull('b')).toBe(false)
  read()
  read()
  expect(buffered.isFull('a')).toBe(false)
})

it('is full for the keys that have most when all have too much', () => {
  const buffered = createBufferedBytes({ bufferedBytesPerKey: 100, bufferedBytesInTotal: 100 })
  buffered.add('a', 60)
  buffered.add('b', 50)
  buffered.add('c', 1)
  expect(['a', 'b', 'c', 'd'].map(buffered.isFull)).toEqual([true, true, false, false])
})

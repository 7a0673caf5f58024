import { expect, test } from 'vitest'
import { createBoundedLog } from './boundedLog.ts'

test('keeps the latest entries, with numbers that count all', () => {
  const log = createBoundedLog<{ readonly n: number }>(3)
  expect(log.latest).toBe(0)
  for (const n of [10, 20, 30, 40]) log.add({ n })
  expect(log.latest).toBe(4)
  expect(log.after(0)).toEqual([
    { n: 20, seq: 2 },
    { n: 30, seq: 3 },
    { n: 40, seq: 4 },
  ])
  expect(log.after(3)).toEqual([{ n: 40, seq: 4 }])
  expect(log.after(9)).toEqual([])
})

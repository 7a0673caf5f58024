import { expect, test } from 'vitest'
import { dailyShare } from './dailyShare.ts'

test('three days run every line, and each day the quick ones', () => {
  const lines = ['a', 'S1', 'b', 'S2', 'S3', 'S4']
  const isSlow = (line: string) => line.startsWith('S')
  const days = [0, 1, 2, 3].map((day) => dailyShare(lines, isSlow, day * 86_400_000 + 5))
  expect(days.slice(0, 3)).toEqual([
    ['a', 'S1', 'b', 'S4'],
    ['a', 'b', 'S2'],
    ['a', 'b', 'S3'],
  ])
  expect(days[3]).toEqual(days[0])
})

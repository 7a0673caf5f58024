import { expect, it } from 'vitest'
import { gasChart, gasSummary } from './gasChart.ts'

const blocks = [
  { number: '0xc', gasUsed: '0x64' },
  { number: '0xb', gasUsed: '0x3e8' },
  { number: '0xa', gasUsed: '0x0' },
] as const

it('has the gas of each block, the oldest first, and says it in words', () => {
  const { x, series } = gasChart(blocks)
  expect([x, series[0]!.values]).toEqual([
    [10, 11, 12],
    [0, 1_000, 100],
  ])
  expect(gasSummary(blocks)).toBe(
    `Gas of blocks 10 to 12: median 100, most ${(1_000).toLocaleString()} in block 11.`,
  )
  expect([gasChart([]).x, gasSummary([])]).toEqual([[], 'No block.'])
})

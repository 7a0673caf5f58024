import type { ChartData } from '../../ui/chart/chartSeries.ts'
import { medianOf } from './gasSteps.ts'
import type { Block } from './reads.ts'

type GasOfBlock = Pick<Block, 'number' | 'gasUsed'>

const compact = new Intl.NumberFormat(undefined, { notation: 'compact' })

/** Gas of each block; `blocks` newest first. */
export function gasChart(blocks: readonly GasOfBlock[]): ChartData {
  const ascending = blocks.toReversed()
  return {
    x: ascending.map(({ number }) => Number(number)),
    xKind: 'number',
    xTitle: 'Block',
    xText: String,
    series: [
      {
        ...{ title: 'Gas', tone: 'accent', draw: 'bars' },
        text: (value) => value.toLocaleString(),
        axisText: (value) => compact.format(value),
        values: ascending.map(({ gasUsed }) => Number(gasUsed)),
      },
    ],
  }
}

/** The chart in a sentence. */
export function gasSummary(blocks: readonly GasOfBlock[]): string {
  const gas = blocks.map(({ gasUsed }) => Number(gasUsed))
  const most = Math.max(...gas)
  const highest = blocks[gas.indexOf(most)]
  const [first, last] = [blocks.at(-1), blocks[0]]
  if (highest === undefined || first === undefined || last === undefined) return 'No block.'
  return `Gas of blocks ${Number(first.number)} to ${Number(last.number)}: median ${medianOf(gas)?.toLocaleString()}, most ${most.toLocaleString()} in block ${Number(highest.number)}.`
}

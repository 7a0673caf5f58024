import type { IndexerStatus } from './indexer/indexer.ts'

type Figure = {
  readonly name: string
  readonly of: (status: IndexerStatus) => number | undefined
}

const figures: readonly Figure[] = [
  { name: 'explorer_indexer_head_block', of: ({ head }) => head },
  { name: 'explorer_indexer_next_block', of: ({ nextBlock }) => nextBlock },
  { name: 'explorer_indexer_lag_blocks', of: ({ lag }) => lag },
  { name: 'explorer_indexer_writing', of: ({ state }) => (state === 'writing' ? 1 : 0) },
  { name: 'explorer_indexer_troubled', of: ({ problem }) => (problem === undefined ? 0 : 1) },
]

/** Progress of indexers, in the Prometheus text format. */
export function indexerFigures(statuses: readonly IndexerStatus[]): string {
  return figures
    .flatMap(({ name, of }) => {
      const lines = statuses.flatMap((status) => {
        const value = of(status)
        return value === undefined ? [] : [`${name}{chain="${status.chainId}"} ${value}\n`]
      })
      return lines.length === 0 ? [] : [`# TYPE ${name} gauge\n`, ...lines]
    })
    .join('')
}

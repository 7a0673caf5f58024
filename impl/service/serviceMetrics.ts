import { Gauge, type Registry } from 'prom-client'
import type { IndexerStatus } from './explorer/indexer/indexer.ts'
import type { PostingHealth } from './tasks/postingHealth.ts'

type Posting = Pick<PostingHealth, 'waiting' | 'degraded'>

export type MetricSources = {
  readonly chainId: number
  /** Whether the node of the chain answers. */
  readonly chainAnswers: () => boolean
  readonly indexers: () => readonly IndexerStatus[]
  readonly posting: () => Promise<Posting>
  readonly databaseAnswers: () => Promise<boolean>
  readonly operators: () => { readonly configured: number; readonly answering: number }
  /** Compiled oracles that are kept. */
  readonly loadedOracles: () => { readonly count: number; readonly bytes: number }
}

/** Gauges of the parts of a service. */
const partGauges: readonly {
  readonly name: string
  readonly help: string
  readonly of: (sources: MetricSources) => number | Promise<number>
}[] = [
  {
    name: 'database_answers',
    help: '1 while the database answers.',
    of: async ({ databaseAnswers }) => ((await databaseAnswers()) ? 1 : 0),
  },
  {
    name: 'operators_configured',
    help: 'Operators of the configuration.',
    of: ({ operators }) => operators().configured,
  },
  {
    name: 'operators_answering',
    help: 'Operators that are not known to be unavailable.',
    of: ({ operators }) => operators().answering,
  },
  {
    name: 'oracle_components_loaded',
    help: 'Compiled oracles that this process keeps.',
    of: ({ loadedOracles }) => loadedOracles().count,
  },
  {
    name: 'oracle_components_bytes',
    help: 'Estimated memory use of compiled oracles.',
    of: ({ loadedOracles }) => loadedOracles().bytes,
  },
]

const indexerGauges: readonly {
  readonly name: string
  readonly help: string
  readonly of: (status: IndexerStatus) => number | undefined
}[] = [
  {
    name: 'explorer_indexer_head_block',
    help: 'Newest block that the node of the chain reports.',
    of: ({ head }) => head,
  },
  {
    name: 'explorer_indexer_next_block',
    help: 'Next block to index.',
    of: ({ nextBlock }) => nextBlock,
  },
  {
    name: 'explorer_indexer_lag_blocks',
    help: 'Blocks that are not indexed yet.',
    of: ({ lag }) => lag,
  },
  {
    name: 'explorer_indexer_writing',
    help: '1 where this process indexes the chain, 0 where it stands by.',
    of: ({ state }) => (state === 'writing' ? 1 : 0),
  },
  {
    name: 'explorer_indexer_troubled',
    help: '1 while the chain cannot be followed.',
    of: ({ problem }) => (problem === undefined ? 0 : 1),
  },
]

/** Registers gauges of indexers, chain and posting; they are read when the metrics are. */
export function registerServiceMetrics(registry: Registry, sources: MetricSources): void {
  const { chainId, chainAnswers, indexers, posting } = sources
  const registers = [registry]
  for (const { name, help, of } of indexerGauges)
    new Gauge({
      name,
      help,
      labelNames: ['chain'],
      registers,
      collect() {
        this.reset()
        for (const status of indexers()) {
          const value = of(status)
          if (value !== undefined) this.set({ chain: status.chainId }, value)
        }
      },
    })
  new Gauge({
    name: 'chain_node_answers',
    help: '1 while the node of the chain answers.',
    labelNames: ['chain'],
    registers,
    collect() {
      this.set({ chain: chainId }, chainAnswers() ? 1 : 0)
    },
  })
  for (const { name, help, of } of partGauges)
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await of(sources))
      },
    })
  // Gauges are collected together: one query serves both.
  let pending: Promise<Posting> | undefined
  const currentPosting = () => {
    pending ??= posting().finally(() => {
      pending = undefined
    })
    return pending
  }
  new Gauge({
    name: 'posting_waiting',
    help: 'Results that wait to be posted on chain.',
    registers,
    async collect() {
      this.set((await currentPosting()).waiting)
    },
  })
  new Gauge({
    name: 'posting_degraded',
    help: '1 while results are not posted as they should be.',
    registers,
    async collect() {
      this.set((await currentPosting()).degraded ? 1 : 0)
    },
  })
}

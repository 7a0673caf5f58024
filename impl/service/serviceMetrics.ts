import { Gauge, type Registry } from 'prom-client'
import type { IndexerStatus } from './explorer/indexer/indexer.ts'
import { needs, type Readiness } from './gateway/readiness.ts'
import type { PostingHealth } from './tasks/postingHealth.ts'

type Posting = Pick<PostingHealth, 'waiting' | 'degraded' | 'gasBurners'>

export type MetricSources = {
  readonly chainId: number
  readonly indexers: () => readonly IndexerStatus[]
  readonly posting: () => Promise<Posting>
  readonly readiness: Readiness
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
    help: '1 while the database commits writes.',
    of: async ({ readiness }) => ((await readiness.current()).unmet.has('store') ? 0 : 1),
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
  const { chainId, readiness, indexers, posting } = sources
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
    name: 'ready',
    help: '1 while a need of calls is met: the service is ready while all are.',
    labelNames: ['need'],
    registers,
    async collect() {
      const { unmet } = await readiness.current()
      for (const need of needs) this.set({ need }, unmet.has(need) ? 0 : 1)
    },
  })
  new Gauge({
    name: 'chain_node_answers',
    help: '1 while the node of the chain answers.',
    labelNames: ['chain'],
    registers,
    async collect() {
      this.set({ chain: chainId }, (await readiness.current()).unmet.has('chain') ? 0 : 1)
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
  let pending: Promise<Posting | undefined> | undefined
  const currentPosting = () => {
    pending ??= readiness
      .current()
      // Without the database there is no such series, but there are the others.
      .then(({ unmet }) => (unmet.has('store') ? undefined : posting()))
      .catch(() => undefined)
      .finally(() => {
        pending = undefined
      })
    return pending
  }
  new Gauge({
    name: 'posting_waiting',
    help: 'Results that wait to be posted on chain.',
    registers,
    async collect() {
      setOrOmit(this, (await currentPosting())?.waiting)
    },
  })
  new Gauge({
    name: 'posting_gas_burners',
    help: 'PolicyData contracts and API keys that burnt gas of posting in the last day, at most 20.',
    registers,
    async collect() {
      setOrOmit(this, (await currentPosting())?.gasBurners)
    },
  })
  new Gauge({
    name: 'posting_degraded',
    help: '1 while results are not posted as they should be.',
    registers,
    async collect() {
      const state = await currentPosting()
      setOrOmit(this, state && (state.degraded ? 1 : 0))
    },
  })
}

function setOrOmit(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove()
  else gauge.set(value)
}

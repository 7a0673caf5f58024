import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import type { IndexerStatus } from './explorer/indexer/indexer.ts'
import type { Need, ReadinessState } from './gateway/readiness.ts'
import { type MetricSources, registerServiceMetrics } from './serviceMetrics.ts'

const readinessOf = (...unmet: readonly Need[]) => ({
  current: async (): Promise<ReadinessState> => ({
    ready: unmet.length === 0,
    unmet: new Map(unmet.map((need) => [need, 'why'])),
    problems: [],
  }),
})

const sources: MetricSources = {
  chainId: 7,
  readiness: readinessOf(),
  indexers: () => [],
  posting: async () => ({ waiting: 0, degraded: false, gasBurners: 0 }),
  operators: () => ({ configured: 4, answering: 3 }),
  loadedOracles: () => ({ count: 2, bytes: 5_000 }),
}

const ready = ['store', 'chain', 'operators', 'contents', 'connections'].map(
  (need) => `ready{need="${need}"} 1`,
)

const parts = [
  'database_answers 1',
  'operators_configured 4',
  'operators_answering 3',
  'oracle_components_loaded 2',
  'oracle_components_bytes 5000',
]

/** The lines with values. */
const valuesOf = async (registry: Registry) =>
  (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))

describe('the metrics of the parts behind the listeners', () => {
  it('are read when they are requested', async () => {
    const registry = new Registry()
    const indexing = { chainId: 1, head: 9, nextBlock: 5, lag: 5, state: 'writing' }
    const standby = { chainId: 2, state: 'standby', problem: 'the node does not answer' }
    let indexers = [indexing, standby] as unknown as readonly IndexerStatus[]
    let queries = 0
    registerServiceMetrics(registry, {
      ...sources,
      readiness: readinessOf('chain', 'contents'),
      indexers: () => indexers,
      posting: async () => {
        queries += 1
        return { waiting: 3, degraded: true, gasBurners: 2 }
      },
    })
    expect(await valuesOf(registry)).toEqual([
      'explorer_indexer_head_block{chain="1"} 9',
      'explorer_indexer_next_block{chain="1"} 5',
      'explorer_indexer_lag_blocks{chain="1"} 5',
      'explorer_indexer_writing{chain="1"} 1',
      'explorer_indexer_writing{chain="2"} 0',
      'explorer_indexer_troubled{chain="1"} 0',
      'explorer_indexer_troubled{chain="2"} 1',
      'ready{need="store"} 1',
      'ready{need="chain"} 0',
      'ready{need="operators"} 1',
      'ready{need="contents"} 0',
      'ready{need="connections"} 1',
      'chain_node_answers{chain="7"} 0',
      ...parts,
      'posting_waiting 3',
      'posting_gas_burners 2',
      'posting_degraded 1',
    ])
    expect(queries).toBe(1)
    indexers = []
    expect(await valuesOf(registry)).toHaveLength(9 + parts.length)
    expect(queries).toBe(2)
  })

  it('have no series without a value', async () => {
    const registry = new Registry()
    registerServiceMetrics(registry, sources)
    expect(await valuesOf(registry)).toEqual([
      ...ready,
      'chain_node_answers{chain="7"} 1',
      ...parts,
      'posting_waiting 0',
      'posting_gas_burners 0',
      'posting_degraded 0',
    ])
  })

  it('remain without a database, but for those that are read from it', async () => {
    for (const posting of [() => new Promise<never>(() => {}), () => Promise.reject(new Error())]) {
      const registry = new Registry()
      registerServiceMetrics(registry, { ...sources, posting, readiness: readinessOf('store') })
      const lines = await valuesOf(registry)
      expect(lines).toContain('database_answers 0')
      expect(lines).toContain('ready{need="store"} 0')
      expect(lines.filter((line) => line.startsWith('posting'))).toEqual([])
    }
  })
})

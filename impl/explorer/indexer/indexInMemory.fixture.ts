import type { ChainEvent, IndexedBlock } from '../../store/explorer/chainEvent.ts'
import type { ExplorerIndex } from '../../store/explorer/explorerStore.ts'

export type IndexInMemory = ExplorerIndex & {
  readonly events: ChainEvent[]
  readonly blocks: IndexedBlock[]
  next: number | undefined
  readonly calls: string[]
}

export function indexInMemory(): IndexInMemory {
  const events: ChainEvent[] = []
  const blocks: IndexedBlock[] = []
  const calls: string[] = []
  const index: IndexInMemory = {
    events,
    blocks,
    calls,
    next: undefined,
    nextBlock: async () => index.next,
    knownBlocks: async (_, { limit, before = Number.POSITIVE_INFINITY }) =>
      [...blocks]
        .reverse()
        .filter(({ number }) => number < before)
        .slice(0, limit),
    async append(_, batch) {
      calls.push(`append ${batch.from}-${batch.to}`)
      if (index.next !== undefined && batch.from !== index.next) return false
      index.next = batch.to + 1
      blocks.push(...batch.blocks)
      events.push(...batch.events)
      return true
    },
    async takeBack(_, from) {
      calls.push(`takeBack ${from}`)
      index.next = from
      const keep = <T>(list: T[], number: (item: T) => number) =>
        list.splice(0, list.length, ...list.filter((item) => number(item) < from))
      keep(blocks, ({ number }) => number)
      keep(events, ({ blockNumber }) => blockNumber)
    },
    absorbRecords: async () => 0,
    undescribedPolicies: async () => [],
    describePolicy: async () => {},
  }
  return index
}

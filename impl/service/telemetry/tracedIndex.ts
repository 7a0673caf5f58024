import type { ExplorerIndex } from '../store/explorer/explorerIndex.ts'
import { attribute } from './attributes.ts'
import type { TaskTraces } from './taskTraces.ts'
import type { Tracing } from './tracing.ts'

/** Indexing in the traces of the tasks: one span for each task in a batch of blocks. */
export const tracedIndex = (
  tracing: Tracing,
  traces: TaskTraces,
  index: ExplorerIndex,
): ExplorerIndex => ({
  ...index,
  async append(chainId, batch) {
    const kinds = new Map<string, string[]>()
    for (const event of batch.events) {
      if (!('taskId' in event)) continue
      const id = event.taskId.toLowerCase()
      kinds.set(id, [...(kinds.get(id) ?? []), event.kind])
    }
    if (kinds.size === 0) return await index.append(chainId, batch)
    const contexts = await traces.find([...kinds.keys()])
    const startTime = Date.now()
    const note = (error?: unknown) => {
      for (const [id, parent] of contexts)
        tracing.ended('index', {
          parent,
          startTime,
          attributes: {
            [attribute.taskId]: id,
            [attribute.chainId]: chainId,
            [attribute.fromBlock]: batch.from,
            [attribute.toBlock]: batch.to,
            [attribute.events]: kinds.get(id) ?? [],
          },
          ...(error !== undefined && { error }),
        })
    }
    try {
      const appended = await index.append(chainId, batch)
      if (appended) note()
      return appended
    } catch (error) {
      note(error)
      throw error
    }
  },
})

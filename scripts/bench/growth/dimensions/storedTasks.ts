import { startLocalStack } from 'polgate-local/localStack.ts'
import { openStore } from 'polgate-service/store/openStore.ts'
import { fill, insertEnded } from '../../explorer/fill.ts'
import { chainId, history, taskId } from '../../explorer/history.ts'
import { isPostgresMissing, startMeasuredPostgres } from '../../explorer/postgres.ts'
import { load, quantile } from '../../service/load.ts'
import { createTaskBodies } from '../../service/requests.ts'
import type { Dimension, Point } from '../dimension.ts'

const embedded = [1_000, 10_000, 100_000]

export const storedTasks: Dimension = {
  title: 'stored tasks: as many ended ones of gateways, and as many of the chain in the explorer',
  async measure({ quick, say }) {
    const server = quick
      ? undefined
      : await startMeasuredPostgres().catch((error: unknown) => {
          if (!isPostgresMissing(error)) throw error
          say(`  the embedded database up to ${embedded.at(-1)} tasks: ${error.message}`)
          return undefined
        })
    const sizes = quick ? [200, 1_000] : [...embedded, ...(server === undefined ? [] : [1_000_000])]
    const store = await openStore(server === undefined ? { ownThread: true } : { url: server.url })
    const stack = await startLocalStack({ openStore: async () => store })
    try {
      const { description } = stack
      const target = { url: description.gatewayUrl, path: '/rpc', key: description.apiKeys.rpc }
      const create = (tasks: number) =>
        load(target, createTaskBodies(description, 'allow-list', tasks), 1)
      const batches = history({ tasks: sizes.at(-1)!, policies: quick ? 20 : 1_000 })
      const created: Point[] = []
      const list: Point[] = []
      const single: Point[] = []
      let stored = 0
      await create(quick ? 3 : 50)
      for (const size of sizes) {
        await fill(store, batches, size, say)
        for (; stored < size; stored += Math.min(1_000, size - stored))
          await insertEnded(store.database, stored, Math.min(1_000, size - stored))
        await store.database.execute('vacuum analyze')
        const { p50, failures, firstFailure } = await create(quick ? 5 : 100)
        if (failures > 0) throw new Error(`a task failed: ${firstFailure}`)
        created.push({ size, cost: p50 })
        const page = () => store.explorer.tasks(chainId, { page: 1, size: 10 })
        list.push({ size, cost: await medianOf(page) })
        const one = (at: number) => store.explorer.task(chainId, taskId((at * 7) % (size >> 1)))
        single.push({ size, cost: await medianOf(one) })
      }
      const bound = { exponent: 0.1 }
      return [
        { what: 'createTask, p50', unit: 'ms', points: created, bound },
        { what: 'first page of the explorer, p50', unit: 'ms', points: list, bound },
        { what: 'one task of the explorer, p50', unit: 'ms', points: single, bound },
      ]
    } finally {
      await stack.close()
      await server?.stop()
    }
  },
}

async function medianOf(work: (at: number) => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let at = 0; at < 120; at++) {
    const begin = performance.now()
    await work(at)
    if (at >= 20) times.push(performance.now() - begin)
  }
  return quantile(times, 0.5)
}

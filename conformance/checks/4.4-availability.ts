import type { Check } from '../core/check.ts'
import { TooLate } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectMatch, expectThat, isObject, type JsonObject } from '../core/expect.ts'
import { blocksOfQueue } from '../kit/scenarios/explorerShown.ts'
import { withStopped } from '../kit/scenarios/operators.ts'
import { pause } from '../kit/scenarios/pause.ts'
import { simulateTaskSubject } from '../kit/scenarios/subjects.ts'
import {
  expectTaskSimulation,
  simulateTask,
  taskSimulationParams,
} from '../kit/scenarios/taskSimulation.ts'

/** Section 4.4: simulations need one operator and no chain. */
const { needs } = simulateTaskSubject
const controlled = [...needs, 'operator-control', 'operators'] as const

/**
 * Section 4.4 defines the exact format of this response, which is not an ordinary JSON-RPC error.
 */
function expectServiceUnavailable(json: unknown): void {
  expectThat(isObject(json), 'the response', 'an object', json)
  const error = json.error
  expectEqual(
    { result: json.result, id: json.id, error: isObject(error) ? Object.keys(error) : error },
    { result: null, id: null, error: ['ServiceUnavailable'] },
    'the response',
  )
  expectMatch((error as JsonObject).ServiceUnavailable, /No operators available/, 'the message')
}

/** Counts the transactions in blocks that were mined since the last call; empty blocks do not matter. */
async function minedTransactions(t: CheckContext): Promise<() => Promise<number>> {
  const head = () => t.chain().getBlockNumber({ cacheTime: 0 })
  let seen = await head()
  return async () => {
    let count = 0
    for (const now = await head(); seen < now; seen++)
      count += await t.chain().getBlockTransactionCount({ blockNumber: seen + 1n })
    return count
  }
}

export const availability: readonly Check[] = [
  {
    // 4.4-02: A simulation has no effect on chain.
    id: 'rpc.simulateTask.no-chain-effect',
    title: 'simulations do not change the chain',
    clauses: ['4.4-02'],
    level: 'must',
    needs: [...needs, 'chain:dev'],
    exclusive: true,
    run: async (t) => {
      const mined = await minedTransactions(t)
      // Earlier tasks may still be posting: wait until nothing is mined for a few blocks.
      const latest = performance.now() + t.patienceMs(60_000, blocksOfQueue)
      for (let quiet = performance.now(); performance.now() - quiet < t.patienceMs(900); ) {
        await pause(300)
        if ((await mined()) > 0) quiet = performance.now()
        if (performance.now() > latest) throw new TooLate('the chain did not come to rest')
      }
      // A late result of an earlier task would be counted too, but hardly each time.
      let during = 1
      for (let round = 0; round < 3 && during > 0; round++) {
        await mined()
        for (let i = 0; i < 3; i++)
          expectTaskSimulation(await simulateTask(t, taskSimulationParams(t)))
        await pause(t.patienceMs(500))
        during = await mined()
      }
      expectEqual(during, 0, 'the number of transactions during simulations')
    },
  },
  {
    // 4.4-14: One available operator is enough.
    id: 'rpc.simulateTask.one-operator',
    title: 'one running operator is enough',
    clauses: ['4.4-14'],
    level: 'must',
    needs: controlled,
    exclusive: true,
    run: async (t) => {
      const all = (t.target.operators ?? []).map((_, i) => i)
      await withStopped(t, all.slice(1), async () => {
        expectTaskSimulation(await simulateTask(t, taskSimulationParams(t)))
      })
      await withStopped(t, all.slice(0, -1), async () => {
        expectTaskSimulation(await simulateTask(t, taskSimulationParams(t)))
      })
    },
  },
  {
    // 4.4-04: Without an available operator the response is {result: null, error:
    //   {ServiceUnavailable: <message>}, id: null}.
    // 7.3-14: The error of simulateTask without operators is "No operators available", as
    //   ServiceUnavailable.
    id: 'rpc.simulateTask.no-operator',
    title: 'without operators the response is exactly that of section 4.4',
    clauses: ['4.4-04', '7.3-14'],
    level: 'must',
    needs: controlled,
    exclusive: true,
    twin: 'the same simulation while operators run, before and after',
    run: async (t) => {
      await t.twin(async () => expectTaskSimulation(await simulateTask(t, taskSimulationParams(t))))
      const all = (t.target.operators ?? []).map((_, i) => i)
      await withStopped(t, all, async () => {
        const answer = await simulateTask(t, taskSimulationParams(t))
        expectServiceUnavailable(answer.json)
        t.observe(`ServiceUnavailable has HTTP ${answer.status}`)
      })
      expectTaskSimulation(await simulateTask(t, taskSimulationParams(t)))
    },
  },
]

import type { Check } from '../core/check.ts'
import { expectEqual, expectMatch, expectThat, isObject, type JsonObject } from '../core/expect.ts'
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

export const availability: readonly Check[] = [
  {
    id: 'rpc.simulateTask.no-chain-effect',
    title: 'simulations do not change the chain',
    clauses: ['4.4-02'],
    level: 'must',
    needs: [...needs, 'chain:dev'],
    exclusive: true,
    run: async (t) => {
      const head = async () => Number(await t.chain().getBlockNumber({ cacheTime: 0 }))
      // Earlier tasks may still be posting: wait until the head is stable.
      let before = await head()
      for (let still = 0; still < 3; still++) {
        await pause(300)
        const now = await head()
        if (now !== before) still = -1
        before = now
      }
      for (let i = 0; i < 3; i++)
        expectTaskSimulation(await simulateTask(t, taskSimulationParams(t)))
      await pause(500)
      expectEqual(await head(), before, 'the number of the head')
    },
  },
  {
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

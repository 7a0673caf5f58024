import type { Check } from '../core/check.ts'
import { isObject, type JsonObject } from '../core/expect.ts'
import { observed } from '../kit/assertions/observed.ts'
import {
  failedTask,
  failingNeeds,
  followedNeeds,
  followedTask,
  liveTask,
} from '../kit/scenarios/followedTasks.ts'
import { dataOf } from '../kit/scenarios/updates.ts'

/** Sections 3 and 6.1: the order of a task's updates. */
/** Later in the life of a task, or equal (decision T5). */
const rank = { pending: 0, processing: 1, success: 2, failed: 2, timeout: 2 } as const
const rankOf = (update: JsonObject) => rank[dataOf(update).status as keyof typeof rank]

export const updateOrderChecks: readonly Check[] = [
  {
    // 3-06: Transitions between the states of a task.
    id: 'ws.update.order',
    title: 'the status goes from pending to processing to an end, and nothing follows the end',
    clauses: ['3-06'],
    level: 'may',
    needs: failingNeeds,
    run: async (t) => {
      const { updates: succeeded } = await followedTask(t)
      const { updates: failed } = await failedTask(t)
      for (const updates of [succeeded, failed]) {
        const ranks = updates.map(rankOf)
        const sorted = ranks.every((r, i) => i === 0 || ranks[i - 1]! <= r)
        const path = updates.map((update) => dataOf(update).status)
        observed(t, 'states', 'the order of states', path, { sorted })
        observed(t, 'ends', 'the number of ends', ranks.filter((r) => r === 2).length)
      }
    },
  },
  {
    // 6.1-20: Whether progress may decrease, and its intermediate values.
    id: 'ws.update.progress',
    title: 'progress never decreases',
    clauses: ['6.1-20'],
    level: 'may',
    needs: failingNeeds,
    run: async (t) => {
      const lists = [await liveTask(t), await failedTask(t)].map(({ updates }) => updates)
      for (const list of lists) {
        const steps = list.map((update) => Number(dataOf(update).progress))
        const forward = steps.every((step, i) => i === 0 || steps[i - 1]! <= step)
        observed(t, 'progress', 'the progress', steps, { forward })
      }
    },
  },
  {
    // 6.1-22: The members of operator_responses.
    id: 'ws.update.operator-responses',
    title: 'operator responses are reported as they arrive, each of an operator of the target',
    clauses: ['6.1-22'],
    level: 'may',
    needs: [...followedNeeds, 'operators'],
    run: async (t) => {
      const { updates } = await liveTask(t)
      const responses = updates.flatMap(
        (update) => dataOf(update).operator_responses as JsonObject[],
      )
      const known = (t.target.operators ?? []).map(({ address }) => address.toLowerCase())
      t.observe(`an operator response: ${JSON.stringify(responses[0])}`)
      const strange = responses.filter(
        (r) => !isObject(r) || !known.includes(String(r.operator_address).toLowerCase()),
      )
      observed(t, 'unknown-operators', 'responses of unknown operators', strange)
      const count = responses.length
      observed(t, 'responses', 'the number of responses', count)
    },
  },
]

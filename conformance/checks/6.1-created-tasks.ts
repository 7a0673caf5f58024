import type { Check } from '../core/check.ts'
import { isRequired, observed } from '../kit/assertions/observed.ts'
import { blockedTask, blockedTaskNeeds } from '../kit/scenarios/blockedTask.ts'
import { followedNeeds } from '../kit/scenarios/followedTasks.ts'
import { createTask, expectTask, resultOf, taskParams } from '../kit/scenarios/requests.ts'
import {
  dataOf,
  endIfAny,
  isEnd,
  isUpdate,
  updatesOf,
  withSocket,
} from '../kit/scenarios/updates.ts'

/** Section 6.1: the updates of a task of createTask. */
export const createdTaskChecks: readonly Check[] = [
  {
    // 6.1-23: Whether tasks of createTask can be subscribed to.
    // 6.1-21: The content of result.data.result.
    // 6.1-16: What a late subscriber receives.
    id: 'ws.update.result',
    title: 'a task of createTask can be followed, and its update contains the result of createTask',
    clauses: ['6.1-23', '6.1-21', '6.1-16'],
    level: 'may',
    needs: followedNeeds,
    run: async (t) => {
      const params = taskParams(t)
      const created = expectTask(await createTask(t, params))
      const taskId = String(created.task_id)
      await withSocket(t, async (socket) => {
        const { answer, end } = await endIfAny(t, 'late-subscriber', socket, taskId)
        if (end === undefined)
          return t.observe(`a task of createTask cannot be followed: ${JSON.stringify(answer)}`)
        observed(
          t,
          'late-updates',
          'updates of a late subscriber',
          updatesOf(socket, taskId).length,
        )
        observed(t, 'result', 'the result of the update', dataOf(end).result, { created })
      })
    },
  },
  {
    // 6.1-23: Whether tasks of createTask can be subscribed to.
    // 6.1-21: The content of result.data.result.
    id: 'ws.update.created-live',
    title: 'a task of createTask is followed while it is in progress, with the same key',
    clauses: ['6.1-23', '6.1-21'],
    level: 'may',
    needs: blockedTaskNeeds,
    run: async (t) => {
      const { answer, taskId, follower } = (await blockedTask(t)).created
      // The refusal of a second submission contains the id, if its text names it.
      if (!isRequired(t, 'task-id') && taskId === undefined)
        return t.observe('the id of a task of createTask is unknown before its end')
      const updates = follower.filter(isUpdate)
      const [first, last] = [updates[0] ?? {}, updates.at(-1) ?? {}]
      observed(t, 'first-update', 'the first update', dataOf(first), { isEnd: isEnd(first) })
      const result = resultOf(answer)
      observed(t, 'last-result', 'the result of the last update', dataOf(last).result, {
        answered: result,
      })
    },
  },
]

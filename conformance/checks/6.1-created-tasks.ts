import { decided, decidedEqual } from '../lab/decided.ts'
import { followedNeeds } from '../lab/followedTasks.ts'
import { heldTask, heldTaskNeeds } from '../lab/heldTask.ts'
import { createTask, expectTask, resultOf, taskParams } from '../lab/requests.ts'
import {
  answerTo,
  dataOf,
  endOf,
  isEnd,
  isUpdate,
  subscribe,
  topicOf,
  updatesOf,
  withSocket,
} from '../lab/updates.ts'
import type { Check } from '../runner/check.ts'

/** Section 6.1: the updates of a task of createTask. */
export const createdTaskChecks: readonly Check[] = [
  {
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
        const answer = await answerTo(socket, subscribe(socket, topicOf(t, taskId)))
        if (!t.target.reference && answer.type === 'error')
          return t.observe(`a task of createTask cannot be followed: ${JSON.stringify(answer)}`)
        const end = await endOf(socket, taskId)
        decidedEqual(t, updatesOf(socket, taskId).length, 1, 'updates of a late subscriber')
        decidedEqual(t, dataOf(end).result, created, 'the result of the update')
      })
    },
  },
  {
    id: 'ws.update.created-live',
    title: 'a task of createTask is followed while it is in progress, with the same key',
    clauses: ['6.1-23', '6.1-21'],
    level: 'may',
    needs: heldTaskNeeds,
    run: async (t) => {
      const { answer, taskId, follower } = (await heldTask(t)).created
      // The refusal of a second submission contains the id, if its text names it.
      if (!t.target.reference && taskId === undefined)
        return t.observe('the id of a task of createTask is unknown before its end')
      const updates = follower.filter(isUpdate)
      const [first, last] = [updates[0] ?? {}, updates.at(-1) ?? {}]
      decided(t, !isEnd(first), 'the first update', 'one of a task in progress', dataOf(first))
      const result = resultOf(answer)
      decidedEqual(t, dataOf(last).result, result, 'the result of the last update')
    },
  },
]

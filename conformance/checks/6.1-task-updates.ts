import type { Check } from '../core/check.ts'
import { expectEqual, expectThat, isObject, type JsonObject } from '../core/expect.ts'
import { expectHex } from '../kit/assertions/hex.ts'
import { observed } from '../kit/assertions/observed.ts'
import * as shape from '../kit/assertions/shape.ts'
import { expectShape } from '../kit/assertions/shape.ts'
import { blockedTask, blockedTaskNeeds } from '../kit/scenarios/blockedTask.ts'
import {
  failedTask,
  failingNeeds,
  followedNeeds,
  followedTask,
} from '../kit/scenarios/followedTasks.ts'
import { dataOf, eventOf, isEnd, isUpdate } from '../kit/scenarios/updates.ts'

/** Section 6.1: the updates of a task that succeeds, and of one that fails. */
const needs = followedNeeds

const states = ['pending', 'processing', 'success', 'failed', 'timeout'] as const

const percent: shape.Rule = (v) =>
  typeof v === 'number' && v >= 0 && v <= 100 ? undefined : 'a number from 0 to 100'

function expectUpdate(update: JsonObject, taskId: string): void {
  expectShape(update, { subscription: shape.string, result: shape.object }, 'update')
  expectShape(
    update.result,
    {
      event: shape.string,
      task_id: shape.bytes32,
      timestamp: shape.unixSeconds,
      data: shape.object,
    },
    'update.result',
  )
  expectHex(update.result.task_id, taskId, 'the task id')
  expectShape(
    update.result.data,
    {
      status: shape.oneOf(...states),
      operator_responses: shape.array,
      result: isEnd(update) ? shape.object : shape.optional(shape.nullable(shape.object)),
      progress: percent,
    },
    'update.result.data',
  )
}

export const taskUpdateChecks: readonly Check[] = [
  {
    // 6.1-10: The event of a task that succeeded is success.
    // 6.1-09: result.data.progress is a number, 100 when the task has ended.
    // 6.1-08: result.data.result is an object, at the latest when the task has ended.
    // 6.1-06: result.data.status is the status of the task.
    // 6.1-01: {type: subscribe, id, method: <topic>, params: null} subscribes.
    // 6.1-02: A topic is service.task.<task_id>.
    // 3-03: success: the task completed.
    id: 'ws.update.success',
    title: 'a task that succeeds ends with the event success, complete, with its result',
    clauses: ['6.1-10', '6.1-09', '6.1-08', '6.1-06', '6.1-01', '6.1-02', '3-03'],
    level: 'must',
    needs,
    run: async (t) => {
      const { end } = await followedTask(t)
      const { status, progress, result } = dataOf(end)
      expectEqual(
        { event: eventOf(end), status, progress, result: isObject(result) },
        { event: 'success', status: 'success', progress: 100, result: true },
        'the last update',
      )
    },
  },
  {
    // 6.1-03: An update is {type: update, subscription, result}; subscription is the id of the
    //   subscription.
    // 6.1-04: result.event is a string and result.task_id is the task’s id.
    // 6.1-05: result.timestamp is in unix seconds.
    // 6.1-06: result.data.status is the status of the task.
    // 6.1-07: result.data.operator_responses is an array.
    // 6.1-08: result.data.result is an object, at the latest when the task has ended.
    // 6.1-09: result.data.progress is a number, 100 when the task has ended.
    // 3-01: The status of a task is pending, processing, success, failed or timeout.
    id: 'ws.update.shape',
    title: 'every update has the members of section 6.1 with their types',
    clauses: ['6.1-03', '6.1-04', '6.1-05', '6.1-06', '6.1-07', '6.1-08', '6.1-09', '3-01'],
    level: 'must',
    needs: failingNeeds,
    run: async (t) => {
      for (const { taskId, updates } of [await followedTask(t), await failedTask(t)])
        for (const update of updates) expectUpdate(update, taskId)
    },
  },
  {
    // 3-02: A task that has not ended is pending (queued) or processing (being evaluated).
    // 6.1-09: result.data.progress is a number, 100 when the task has ended.
    // 6.1-06: result.data.status is the status of the task.
    id: 'ws.update.under-way',
    title: 'a task that has not ended is pending or processing, and not complete',
    clauses: ['3-02', '6.1-09', '6.1-06'],
    level: 'must',
    needs: blockedTaskNeeds,
    run: async (t) => {
      const { taskId, follower } = await blockedTask(t)
      const updates = follower.filter(isUpdate)
      for (const update of updates) expectUpdate(update, taskId)
      const before = updates.filter((update) => !isEnd(update))
      // A gateway may send only the end: then there is nothing to check.
      t.observe(`${before.length} updates before the end: ${before.map(eventOf).join(', ')}`)
      for (const update of before) {
        expectShape(dataOf(update), { status: shape.oneOf('pending', 'processing') }, 'data')
        expectThat(
          Number(dataOf(update).progress) < 100,
          'the progress',
          'below 100',
          dataOf(update).progress,
        )
      }
      expectThat(isEnd(updates.at(-1) ?? {}), 'the last update', 'an end', updates.at(-1))
    },
  },
  {
    // 3-04: failed: the evaluation failed.
    // 6.1-12: Every subscriber of a task receives its end.
    id: 'ws.update.failed',
    title: 'a task whose evaluation fails ends as failed, and never as success',
    clauses: ['3-04', '6.1-12'],
    level: 'must',
    needs: failingNeeds,
    twin: 'a task that succeeds',
    run: async (t) => {
      await t.twin(async () => {
        const { end } = await followedTask(t)
        expectEqual(dataOf(end).status, 'success', 'the status')
      })
      const { updates } = await failedTask(t)
      const statuses = updates.map((update) => dataOf(update).status)
      expectEqual(statuses.at(-1), 'failed', 'the status of the last update')
      expectEqual(statuses.includes('success'), false, 'a success among the updates')
    },
  },
  {
    // 6.1-13: Other kinds of events.
    id: 'ws.update.failure-event',
    title: 'observed: the event of a failed task, and the names of all events',
    clauses: ['6.1-13'],
    level: 'may',
    needs: failingNeeds,
    run: async (t) => {
      const { updates } = await failedTask(t)
      const { updates: succeeded } = await followedTask(t)
      const events = [...new Set([...updates, ...succeeded].map(eventOf))]
      observed(t, 'events', 'the events', events)
      observed(t, 'last-event', 'the event of a failure', updates.map(eventOf).at(-1))
      const early = updates.slice(0, -1).map(eventOf)
      observed(t, 'early-failure', 'a failure before the last update', early.includes('failure'))
    },
  },
]

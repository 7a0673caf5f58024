import { decided, decidedEqual } from '../lab/decided.ts'
import { fixture } from '../lab/fixtures.ts'
import { heldTask, heldTaskNeeds } from '../lab/heldTask.ts'
import { acceptedTask, createTask, expectTask, taskParams } from '../lab/requests.ts'
import { sendTaskSubject } from '../lab/subjects.ts'
import {
  answerTo,
  dataOf,
  endOf,
  eventOf,
  expectSent,
  followTask,
  isEnd,
  isUpdate,
  sendTask,
  subscribe,
  topicOf,
  updatesOf,
  withSocket,
} from '../lab/updates.ts'
import { pause, silenceMs } from '../lab/webhooks.ts'
import type { Check } from '../runner/check.ts'
import { Untestable } from '../runner/conformanceError.ts'
import type { CheckContext } from '../runner/context.ts'
import { expectEqual, expectThat, isObject, type JsonObject, show } from '../runner/expect.ts'
import * as shape from '../wire/shape.ts'
import { expectShape } from '../wire/shape.ts'

/** Section 6.1: what a subscriber is told of a task. */
const needs = [...sendTaskSubject.needs, 'websocket'] as const

const states = ['pending', 'processing', 'success', 'failed', 'timeout'] as const

const percent: shape.Rule = (v) =>
  typeof v === 'number' && v >= 0 && v <= 100 ? undefined : 'a number from 0 to 100'

const expectUpdate = (update: JsonObject, taskId: string): void => {
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
  expectEqual(String(update.result.task_id).toLowerCase(), taskId.toLowerCase(), 'the task id')
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

/** One task that is followed to its success, for all checks that look at its updates. */
const followedTask = (t: CheckContext) =>
  t.once('followed task', () => followTask(t, taskParams(t)))

/** Later in the life of a task, or the same (decision T5). */
const rank = { pending: 0, processing: 1, success: 2, failed: 2, timeout: 2 } as const
const rankOf = (update: JsonObject) => rank[dataOf(update).status as keyof typeof rank]

/** One that is seen at work: a subscriber may come too late for what a quick task does. */
const liveTask = (t: CheckContext) =>
  t.once('live task', async () => {
    for (let attempt = 0; attempt < 8; attempt++) {
      const followed = await followTask(t, taskParams(t))
      if (followed.updates.length > 2) return followed
    }
    throw new Untestable('no subscriber was told of more than the end of a task')
  })

const failingNeeds = [...needs, `client:${fixture.trapping}`] as const

/** One that is followed to its failure. */
const failedTask = (t: CheckContext) =>
  t.once('followed failure', () => followTask(t, taskParams(t, fixture.trapping)))

const onlyUpdates = (messages: readonly unknown[]) => messages.filter(isUpdate)

export const taskUpdateChecks: readonly Check[] = [
  {
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
    id: 'ws.update.shape',
    title: 'every update has the members of section 6.1, each of its type',
    clauses: ['6.1-03', '6.1-04', '6.1-05', '6.1-06', '6.1-07', '6.1-08', '6.1-09', '3-01'],
    level: 'must',
    needs: failingNeeds,
    run: async (t) => {
      for (const { taskId, updates } of [await followedTask(t), await failedTask(t)])
        for (const update of updates) expectUpdate(update, taskId)
    },
  },
  {
    id: 'ws.update.under-way',
    title: 'a task that has not ended is pending or processing, and not complete',
    clauses: ['3-02', '6.1-09', '6.1-06'],
    level: 'must',
    needs: heldTaskNeeds,
    exclusive: true,
    run: async (t) => {
      const { taskId, follower } = await heldTask(t)
      const updates = onlyUpdates(follower)
      for (const update of updates) expectUpdate(update, taskId)
      const before = updates.filter((update) => !isEnd(update))
      // A gateway may tell of nothing but the end: then there is nothing to be wrong.
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
      expectThat(isEnd(updates.at(-1) ?? {}), 'the last update', 'one of the end', updates.at(-1))
    },
  },
  {
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
    id: 'ws.update.failure-event',
    title: 'observed: the event of a failed task, and the names of all events',
    clauses: ['6.1-13'],
    level: 'may',
    needs: failingNeeds,
    run: async (t) => {
      const { updates } = await failedTask(t)
      const { updates: succeeded } = await followedTask(t)
      const known = ['status_update', 'operator_response', 'success', 'failure']
      const events = [...new Set([...updates, ...succeeded].map(eventOf))]
      decided(
        t,
        events.every((event) => known.includes(String(event))),
        'the events',
        known,
        events,
      )
      decidedEqual(t, updates.map(eventOf).at(-1), 'failure', 'the event of a failure')
      const early = updates.slice(0, -1).map(eventOf)
      decidedEqual(t, early.includes('failure'), false, 'a failure before the last update')
    },
  },
  {
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
        decided(t, sorted, 'the order of states', 'never back', path)
        decidedEqual(t, ranks.filter((r) => r === 2).length, 1, 'the number of ends')
      }
    },
  },
  {
    id: 'ws.update.progress',
    title: 'progress never goes back',
    clauses: ['6.1-20'],
    level: 'may',
    needs: failingNeeds,
    run: async (t) => {
      const lists = [await liveTask(t), await failedTask(t)].map(({ updates }) => updates)
      for (const list of lists) {
        const steps = list.map((update) => Number(dataOf(update).progress))
        const forward = steps.every((step, i) => i === 0 || steps[i - 1]! <= step)
        decided(t, forward, 'the progress', 'never back', steps)
      }
    },
  },
  {
    id: 'ws.update.operator-responses',
    title: 'operators are told of as they answer, each one of the target’s',
    clauses: ['6.1-22'],
    level: 'may',
    needs: [...needs, 'operators'],
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
      decidedEqual(t, strange, [], 'responses of unknown operators')
      const count = responses.length
      decided(t, count > 0, 'the number of responses', 'at least one', count)
    },
  },
  {
    id: 'ws.update.result',
    title: 'a task of createTask can be followed, and its update holds what createTask answered',
    clauses: ['6.1-23', '6.1-21', '6.1-16'],
    level: 'may',
    needs,
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
    title: 'a task of createTask is followed while it is under way, with the same key',
    clauses: ['6.1-23', '6.1-21'],
    level: 'may',
    needs: heldTaskNeeds,
    exclusive: true,
    run: async (t) => {
      const { answer, taskId, follower } = (await heldTask(t)).created
      // The id is told by the refusal of a second submission, where the text of that names it.
      if (!t.target.reference && taskId === undefined)
        return t.observe('the id of a task of createTask is not known before its end')
      const updates = onlyUpdates(follower)
      const [first, last] = [updates[0] ?? {}, updates.at(-1) ?? {}]
      decided(t, !isEnd(first), 'the first update', 'one of a task under way', dataOf(first))
      const result = isObject(answer.json) ? answer.json.result : undefined
      decidedEqual(t, dataOf(last).result, result, 'the result of the last update')
    },
  },
  {
    id: 'ws.update.every-subscriber',
    title: 'two subscribers of a task are told the same, to its end',
    clauses: ['6.1-12', '6.1-04'],
    level: 'must',
    needs,
    run: async (t) => {
      await withSocket(t, (one) =>
        withSocket(t, async (other) => {
          const taskId = expectSent(await sendTask(t, taskParams(t)))
          for (const socket of [one, other]) subscribe(socket, topicOf(t, taskId))
          await Promise.all([endOf(one, taskId), endOf(other, taskId)])
          const told = [one, other].map((socket) =>
            updatesOf(socket, taskId).map((update) => update.result),
          )
          // Who came later may have missed some at first: what both have heard is the same.
          const shared = Math.min(...told.map((results) => results.length)) - 1
          const [first, second] = told.map((results) => results.slice(results.length - shared))
          expectEqual(first, second, 'what both were told')
          // The end may be read from the record by one, and heard by the other.
          const [a, b] = told.map((results) => dataOf({ result: results.at(-1) }))
          expectEqual(
            [a?.status, a?.result],
            [b?.status, b?.result],
            'the end as both were told it',
          )
        }),
      )
    },
  },
  {
    id: 'ws.update.own-topic-only',
    title: 'a subscriber of one task is told nothing of another',
    clauses: ['6.1-11', '6.1-12'],
    level: 'must',
    needs,
    run: async (t) => {
      await withSocket(t, (one) =>
        withSocket(t, async (other) => {
          const [a, b] = (
            await Promise.all([sendTask(t, taskParams(t)), sendTask(t, taskParams(t))])
          ).map(expectSent) as [string, string]
          subscribe(one, topicOf(t, a))
          subscribe(other, topicOf(t, b))
          await Promise.all([endOf(one, a), endOf(other, b)])
          await pause(silenceMs / 2)
          for (const [socket, stranger] of [
            [one, b],
            [other, a],
          ] as const) {
            const strange = socket.frames.filter(({ text }) =>
              text.toLowerCase().includes(stranger),
            )
            expectEqual(strange, [], 'messages that name the other task')
          }
        }),
      )
    },
  },
  {
    id: 'ws.update.two-topics',
    title: 'one connection follows two tasks, each under a subscription of its own',
    clauses: ['6.1-03', '6.1-12', '6.1-01'],
    level: 'must',
    needs,
    run: async (t) => {
      await withSocket(t, async (socket) => {
        const ids = [expectSent(await sendTask(t, taskParams(t)))]
        ids.push(expectSent(await sendTask(t, taskParams(t))))
        for (const id of ids) subscribe(socket, topicOf(t, id))
        const ends = await Promise.all(ids.map((id) => endOf(socket, id)))
        const subscriptions = ends.map((end) => end.subscription)
        expectEqual(new Set(subscriptions).size, 2, 'the number of subscription ids')
        for (const [i, id] of ids.entries())
          for (const update of updatesOf(socket, id))
            expectEqual(update.subscription, subscriptions[i], 'the subscription of an update')
      })
    },
  },
  {
    id: 'ws.update.late',
    title: 'a subscriber that comes after the end is told it at once',
    clauses: ['6.1-16'],
    level: 'may',
    needs,
    run: async (t) => {
      const { taskId, end } = await followedTask(t)
      await withSocket(t, async (socket) => {
        const answer = await answerTo(socket, subscribe(socket, topicOf(t, taskId)))
        if (!t.target.reference && answer.type === 'error')
          return t.observe(`a late subscriber is refused: ${JSON.stringify(answer)}`)
        const told = await endOf(socket, taskId)
        decidedEqual(t, eventOf(told), eventOf(end), 'the event for a late subscriber')
        const essence = (update: JsonObject) => {
          const { operator_responses, ...data } = dataOf(update)
          return data
        }
        decidedEqual(t, essence(told), essence(end), 'the data for a late subscriber')
        const responses = dataOf(told).operator_responses
        t.observe(`operator_responses for a late subscriber: ${show(responses)}`)
      })
    },
  },
  {
    id: 'ws.update.timeout',
    title: 'a task past its timeout is told as timeout, or as failed, never as success',
    clauses: ['3-05', '3-01'],
    level: 'must',
    needs: sendTaskSubject.needs,
    twin: 'the same task with the default timeout',
    run: async (t) => {
      await t.twin(() => acceptedTask(t))
      const params = taskParams(t, fixture.simple, { timeout: 0.001 })
      const { json } = await createTask(t, params)
      const result = isObject(json) ? json.result : undefined
      expectShape(result, { status: shape.oneOf('timeout', 'failed') }, 'result')
      t.observe(`a task past its timeout is ${result.status}`)
    },
  },
]

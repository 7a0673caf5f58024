import type { Check } from '../core/check.ts'
import { expectEqual, type JsonObject } from '../core/expect.ts'
import { isRequired, observed } from '../kit/assertions/observed.ts'
import { followedNeeds, followedTask } from '../kit/scenarios/followedTasks.ts'
import { pause } from '../kit/scenarios/pause.ts'
import { taskParams } from '../kit/scenarios/requests.ts'
import {
  answerIfAny,
  dataOf,
  endIfAny,
  endOf,
  eventOf,
  expectSent,
  isRefusal,
  sendTask,
  subscribe,
  topicOf,
  updatesOf,
  withSocket,
} from '../kit/scenarios/updates.ts'
import { silenceMs } from '../kit/scenarios/webhooks.ts'

/** Section 6.1: several subscribers, several tasks, and late subscribers. */
const needs = followedNeeds

export const subscriberChecks: readonly Check[] = [
  {
    // 6.1-12: Every subscriber of a task receives its end.
    // 6.1-04: result.event is a string and result.task_id is the task’s id.
    id: 'ws.update.every-subscriber',
    title: 'two subscribers of a task receive the same updates, to its end',
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
          // The later subscriber may have missed some: updates that both received are the same.
          const shared = Math.min(...told.map((results) => results.length)) - 1
          const [first, second] = told.map((results) => results.slice(results.length - shared))
          expectEqual(first, second, 'updates that both received')
          // One may get the end from the record, the other as an event.
          const [a, b] = told.map((results) => dataOf({ result: results.at(-1) }))
          expectEqual([a?.status, a?.result], [b?.status, b?.result], 'the end that both received')
        }),
      )
    },
  },
  {
    // 6.1-11: A subscriber receives updates of its own topics only.
    // 6.1-12: Every subscriber of a task receives its end.
    id: 'ws.update.own-topic-only',
    title: 'a subscriber of one task receives nothing about another',
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
    // 6.1-03: An update is {type: update, subscription, result}; subscription is the id of the
    //   subscription.
    // 6.1-12: Every subscriber of a task receives its end.
    // 6.1-01: {type: subscribe, id, method: <topic>, params: null} subscribes.
    id: 'ws.update.two-topics',
    title: 'one connection follows two tasks, each with a separate subscription',
    clauses: ['6.1-03', '6.1-12', '6.1-01'],
    level: 'must',
    needs,
    run: async (t) => {
      await withSocket(t, async (socket) => {
        const ids = [expectSent(await sendTask(t, taskParams(t)))]
        ids.push(expectSent(await sendTask(t, taskParams(t))))
        const [, second] = ids.map((id) => subscribe(socket, topicOf(t, id)))
        const answer = await answerIfAny(t, 'several-subscriptions', socket, second)
        // The limit of subscriptions is open.
        if (!isRequired(t, 'several-subscriptions') && isRefusal(answer))
          return t.observe(`the second subscription is refused: ${JSON.stringify(answer)}`)
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
    // 6.1-16: What a late subscriber receives.
    id: 'ws.update.late',
    title: 'a subscriber that comes after the end receives it immediately',
    clauses: ['6.1-16'],
    level: 'may',
    needs,
    run: async (t) => {
      const { taskId, end } = await followedTask(t)
      await withSocket(t, async (socket) => {
        const { answer, end: told } = await endIfAny(t, 'late-subscriber', socket, taskId)
        if (told === undefined)
          return t.observe(`a late subscriber receives no update: ${JSON.stringify(answer)}`)
        observed(t, 'event', 'the event for a late subscriber', eventOf(told), {
          first: eventOf(end),
        })
        const essence = (update: JsonObject) => {
          const { operator_responses, ...data } = dataOf(update)
          return data
        }
        observed(t, 'data', 'the data for a late subscriber', essence(told), {
          first: essence(end),
        })
        const responses = (update: JsonObject) => dataOf(update).operator_responses
        const what = 'operator_responses for a late subscriber'
        observed(t, 'operator-responses', what, responses(told), { first: responses(end) })
      })
    },
  },
]

import { randomUUID } from 'node:crypto'
import type { Check } from '../core/check.ts'
import { lastPart } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { isObject, type JsonObject, show } from '../core/expect.ts'
import { isRequired, observed } from '../kit/assertions/observed.ts'
import { blockedTask, blockedTaskNeeds, crowdSize } from '../kit/scenarios/blockedTask.ts'
import { endedTask, followedNeeds } from '../kit/scenarios/followedTasks.ts'
import {
  answerIfAny,
  isUpdate,
  isUpdateOf,
  perhapsMs,
  subscribe,
  topicOf,
  withSocket,
} from '../kit/scenarios/updates.ts'

/**
 * Section 6.1 and decision W3: subscriptions, their topics, their end, and their maximum number.
 */
const needs = followedNeeds

export const subscriptionChecks: readonly Check[] = [
  {
    // 6.1-14: The response to subscribe.
    id: 'ws.subscribe.answer',
    title: 'subscribe is answered with subscribed, with its id and the id of the subscription',
    clauses: ['6.1-14'],
    level: 'may',
    needs,
    run: async (t) => {
      const taskId = await endedTask(t)
      await withSocket(t, async (socket) => {
        const id = subscribe(socket, topicOf(t, taskId))
        const answer = await answerIfAny(t, 'answer', socket, id)
        const subscription = answer?.subscription
        observed(t, 'answer', 'the response', answer, { id, subscription })
        observed(t, 'subscription-type', 'the type of subscription', typeof subscription)
        const isFirst = isUpdateOf(taskId)
        // Whether tasks of createTask can be followed, and after their end, is open.
        const update = isRequired(t, 'update-subscription')
          ? await socket.expect('an update', isFirst)
          : await socket
              .expect('an update', isFirst, { ms: t.patienceMs(perhapsMs) })
              .catch(() => undefined)
        if (update === undefined) return t.observe('no update of a task of createTask')
        observed(t, 'update-subscription', 'the subscription of an update', update.subscription, {
          subscription,
        })
        observed(t, 'first-message', 'the first message', socket.frames[0]?.json, { answer })
      })
    },
  },
  {
    // 6.1-17: The response for a topic of an unknown task, and for a malformed topic.
    id: 'ws.subscribe.topic-letters',
    title: 'observed: a topic whose task id is in upper case',
    clauses: ['6.1-17'],
    level: 'may',
    needs,
    run: async (t) => {
      const id = await endedTask(t)
      await withSocket(t, async (socket) => {
        const topic = topicOf(t, `0x${id.slice(2).toUpperCase()}`)
        const answer = await answerIfAny(t, 'answered', socket, subscribe(socket, topic))
        t.observe(`a task id in upper case: ${show(answer)}`)
      })
    },
  },
  ...Object.entries({
    // 6.1-17: The response for a topic of an unknown task, and for a malformed topic.
    // 6.1-14: The response to subscribe.
    'ws.subscribe.topic.unknown': (t: CheckContext) => topicOf(t, `0x${'5e'.repeat(32)}`),
    'ws.subscribe.topic.without-prefix': () => `0x${'5e'.repeat(32)}`,
    'ws.subscribe.topic.other-prefix': () => `other.task.0x${'5e'.repeat(32)}`,
    'ws.subscribe.topic.short': (t: CheckContext) => topicOf(t, '0x5e5e'),
    'ws.subscribe.topic.number': () => 7,
    'ws.subscribe.topic.missing': () => undefined,
  }).map(
    ([id, topic]): Check => ({
      id,
      title: `a subscription whose topic is ${lastPart(id).replace('-', ' ')} is answered with an error and its id`,
      clauses: ['6.1-17', '6.1-14'],
      level: 'may',
      needs,
      twin: 'the topic of a task of this key',
      run: async (t) => {
        const right = topicOf(t, await endedTask(t))
        await withSocket(t, async (socket) => {
          await t.twin(async () => {
            const answer = await answerIfAny(t, 'twin', socket, subscribe(socket, right))
            observed(t, 'twin', 'the twin', answer)
          })
          const id = subscribe(socket, topic(t))
          const answer = await answerIfAny(t, 'answer', socket, id)
          const error = isObject(answer?.error) ? answer.error : {}
          observed(t, 'answer', 'the response', {
            type: answer?.type,
            code: error.code,
            message: typeof error.message,
          })
        })
      },
    }),
  ),
  {
    // 6.1-15: How a subscription is ended.
    id: 'ws.unsubscribe',
    title: 'after unsubscribe, which is answered, no more updates of the task arrive',
    clauses: ['6.1-15'],
    level: 'may',
    needs: blockedTaskNeeds,
    run: async (t) => {
      const { left, follower } = await blockedTask(t)
      const [first] = left.before as readonly JsonObject[]
      const { type, subscription } = left.answer ?? {}
      observed(
        t,
        'answer',
        'the response to unsubscribe',
        { type, subscription },
        { subscription: first?.subscription },
      )
      const told = follower.filter(isUpdate).length
      observed(t, 'other-updates', 'the updates of the other subscriber', told)
      observed(t, 'later-messages', 'updates after it', left.after)
    },
  },
  {
    // 6.1-15: How a subscription is ended.
    id: 'ws.unsubscribe.unknown',
    title: 'unsubscribe of an unknown subscription is answered with an error',
    clauses: ['6.1-15'],
    level: 'may',
    needs,
    twin: 'unsubscribe of an existing one',
    run: async (t) => {
      const topic = topicOf(t, await endedTask(t))
      await withSocket(t, async (socket) => {
        const end = async (point: string, subscription: unknown) => {
          const id = randomUUID()
          socket.send({ type: 'unsubscribe', id, subscription })
          return answerIfAny(t, point, socket, id)
        }
        await t.twin(async () => {
          const given = await answerIfAny(t, 'known', socket, subscribe(socket, topic))
          const answer = await end('known', given?.subscription ?? null)
          observed(t, 'known', 'the response to unsubscribe', answer?.type)
        })
        const unknown = await end('unknown', 'unknown-subscription')
        observed(t, 'unknown', 'the response', unknown?.type)
      })
    },
  },
  {
    // 6.1-18: The limits of subscriptions and frames.
    id: 'ws.limit.subscriptions',
    title: `of ${crowdSize} subscriptions of a connection only the last is refused`,
    clauses: ['6.1-18'],
    level: 'may',
    needs: blockedTaskNeeds,
    run: async (t) => {
      const { crowd } = await blockedTask(t)
      const types = crowd.map((answer) => answer?.type)
      t.observe(`the last of ${crowdSize} subscriptions: ${show(crowd.at(-1))}`)
      const accepted = types.filter((type) => type === 'subscribed').length
      observed(t, 'answers', 'accepted, and the last', [accepted, types.at(-1)])
    },
  },
]

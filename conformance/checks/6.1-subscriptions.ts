import { randomUUID } from 'node:crypto'
import { decided, decidedEqual } from '../lab/decided.ts'
import { endedTask, followedNeeds } from '../lab/followedTasks.ts'
import { crowdSize, heldTask, heldTaskNeeds } from '../lab/heldTask.ts'
import { answerTo, isUpdate, isUpdateOf, subscribe, topicOf, withSocket } from '../lab/updates.ts'
import type { Check } from '../runner/check.ts'
import type { CheckContext } from '../runner/context.ts'
import { isObject, type JsonObject, show } from '../runner/expect.ts'

/**
 * Section 6.1 and decision W3: subscriptions, their topics, their end, and their maximum number.
 */
const needs = followedNeeds

export const subscriptionChecks: readonly Check[] = [
  {
    id: 'ws.subscribe.answer',
    title: 'subscribe is answered with subscribed, with its id and the id of the subscription',
    clauses: ['6.1-14'],
    level: 'may',
    needs,
    run: async (t) => {
      const taskId = await endedTask(t)
      await withSocket(t, async (socket) => {
        const id = subscribe(socket, topicOf(t, taskId))
        const answer = await answerTo(socket, id)
        const { subscription } = answer
        decidedEqual(t, answer, { type: 'subscribed', id, subscription }, 'the response')
        decidedEqual(t, typeof subscription, 'string', 'the type of subscription')
        const update = await socket.expect('an update', isUpdateOf(taskId))
        decidedEqual(t, update.subscription, subscription, 'the subscription of an update')
        decidedEqual(t, socket.frames[0]?.json, answer, 'the first message')
      })
    },
  },
  {
    id: 'ws.subscribe.topic-letters',
    title: 'observed: a topic whose task id is in upper case',
    clauses: ['6.1-17'],
    level: 'may',
    needs,
    run: async (t) => {
      const id = await endedTask(t)
      await withSocket(t, async (socket) => {
        const topic = topicOf(t, `0x${id.slice(2).toUpperCase()}`)
        const answer = await answerTo(socket, subscribe(socket, topic))
        t.observe(`a task id in upper case: ${show(answer)}`)
      })
    },
  },
  ...Object.entries({
    unknown: (t: CheckContext) => topicOf(t, `0x${'5e'.repeat(32)}`),
    'without-prefix': () => `0x${'5e'.repeat(32)}`,
    'other-prefix': () => `other.task.0x${'5e'.repeat(32)}`,
    short: (t: CheckContext) => topicOf(t, '0x5e5e'),
    number: () => 7,
    missing: () => undefined,
  }).map(
    ([name, topic]): Check => ({
      id: `ws.subscribe.topic.${name}`,
      title: `a subscription whose topic is ${name.replace('-', ' ')} is answered with an error and its id`,
      clauses: ['6.1-17', '6.1-14'],
      level: 'may',
      needs,
      twin: 'the topic of a task of this key',
      run: async (t) => {
        const right = topicOf(t, await endedTask(t))
        await withSocket(t, async (socket) => {
          await t.twin(async () => {
            const answer = await answerTo(socket, subscribe(socket, right))
            decided(t, answer.type !== 'error', 'the twin', 'no error', answer)
          })
          const id = subscribe(socket, topic(t))
          const answer = await answerTo(socket, id)
          const error = isObject(answer.error) ? answer.error : {}
          decidedEqual(
            t,
            { type: answer.type, code: error.code, message: typeof error.message },
            { type: 'error', code: -32602, message: 'string' },
            'the response',
          )
        })
      },
    }),
  ),
  {
    id: 'ws.unsubscribe',
    title: 'after unsubscribe, which is answered, no more updates of the task arrive',
    clauses: ['6.1-15'],
    level: 'may',
    needs: heldTaskNeeds,
    run: async (t) => {
      const { left, follower } = await heldTask(t)
      const [first] = left.before as readonly JsonObject[]
      const { type, subscription } = left.answer ?? {}
      decidedEqual(
        t,
        { type, subscription },
        { type: 'unsubscribed', subscription: first?.subscription },
        'the response to unsubscribe',
      )
      const told = follower.filter(isUpdate).length
      decided(t, told > 0, 'the updates of the other subscriber', 'some', told)
      decidedEqual(t, left.after, [], 'updates after it')
    },
  },
  {
    id: 'ws.unsubscribe.unknown',
    title: 'unsubscribe of an unknown subscription is answered with an error',
    clauses: ['6.1-15'],
    level: 'may',
    needs,
    twin: 'unsubscribe of an existing one',
    run: async (t) => {
      const topic = topicOf(t, await endedTask(t))
      await withSocket(t, async (socket) => {
        const end = async (subscription: unknown) => {
          const id = randomUUID()
          socket.send({ type: 'unsubscribe', id, subscription })
          return answerTo(socket, id)
        }
        await t.twin(async () => {
          const { subscription } = await answerTo(socket, subscribe(socket, topic))
          const answer = await end(subscription)
          decidedEqual(t, answer.type, 'unsubscribed', 'the response to unsubscribe')
        })
        decidedEqual(t, (await end('nobody-was-given-this')).type, 'error', 'the response')
      })
    },
  },
  {
    id: 'ws.limit.subscriptions',
    title: `of ${crowdSize} subscriptions of a connection only the last is refused`,
    clauses: ['6.1-18'],
    level: 'may',
    needs: heldTaskNeeds,
    run: async (t) => {
      const { crowd } = await heldTask(t)
      const types = crowd.map((answer) => answer?.type)
      t.observe(`the last of ${crowdSize} subscriptions: ${show(crowd.at(-1))}`)
      const accepted = types.filter((type) => type === 'subscribed').length
      decidedEqual(t, [accepted, types.at(-1)], [crowdSize - 1, 'error'], 'accepted, and the last')
    },
  },
]

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { anyJson } from '../arbitraries/json.ts'
import { decided, decidedEqual } from '../lab/decided.ts'
import { crowdSize, heldTask, heldTaskNeeds } from '../lab/heldTask.ts'
import { acceptedTask } from '../lab/requests.ts'
import { sendTaskSubject } from '../lab/subjects.ts'
import type { UpdateSocket } from '../lab/updateSocket.ts'
import { answerTo, isUpdate, isUpdateOf, subscribe, topicOf, withSocket } from '../lab/updates.ts'
import type { Check } from '../runner/check.ts'
import type { CheckContext } from '../runner/context.ts'
import { expectEqual, isObject, type JsonObject, show } from '../runner/expect.ts'
import { checkProperty } from '../runner/property.ts'

/** Section 6.1 and decision W3: what is said about subscriptions. */
const needs = [...sendTaskSubject.needs, 'websocket'] as const

/** A task of the read key that has ended: any number of connections may ask for it. */
const endedTask = async (t: CheckContext) => String((await acceptedTask(t)).result.task_id)

/** The connection still serves: a right subscription is answered. */
const isAlive = async (t: CheckContext, socket: UpdateSocket): Promise<boolean> => {
  const id = subscribe(socket, topicOf(t, await endedTask(t)))
  const answer = await answerTo(socket, id).catch(() => undefined)
  return answer !== undefined
}

const expectAlive = async (t: CheckContext, socket: UpdateSocket, what: string) => {
  const alive = await isAlive(t, socket)
  decided(t, alive, what, 'answered', alive ? 'answered' : 'not answered')
}

/** After a message that is none: an error, and the connection goes on. */
const answered = (
  name: string,
  what: string,
  frame: (t: CheckContext) => string | Uint8Array,
  codes: readonly number[],
): Check => ({
  id: `ws.message.${name}`,
  title: `${what} is answered with an error, and the connection goes on`,
  clauses: ['6.1-19'],
  level: 'may',
  needs,
  twin: 'a right subscription on the same connection, before and after',
  run: async (t) => {
    await withSocket(t, async (socket) => {
      await t.twin(() => expectAlive(t, socket, 'a right subscription'))
      const from = socket.frames.length
      socket.sendRaw(frame(t))
      const answer = await socket
        .expect('an error', ({ type }) => type === 'error', { from, ms: 10_000 })
        .catch(() => undefined)
      const error = isObject(answer?.error) ? answer.error : {}
      decided(t, codes.includes(Number(error.code)), what, `an error ${codes.join(' or ')}`, answer)
      await expectAlive(t, socket, `a right subscription after ${what}`)
    })
  },
})

const message = (change: JsonObject) => JSON.stringify({ type: 'subscribe', id: 'a', ...change })

/** Frames that are hardly messages: any JSON, right members with wrong values, any text. */
const anyFrame = (topic: string): fc.Arbitrary<string> =>
  fc.oneof(
    anyJson().map((value) => JSON.stringify(value) ?? 'null'),
    fc
      .record(
        {
          type: fc.constantFrom('subscribe', 'unsubscribe', 'update', '__proto__', '', null),
          id: fc.oneof(fc.string(), anyJson()),
          method: fc.oneof(fc.constant(topic), fc.string(), anyJson()),
          subscription: fc.oneof(fc.string(), anyJson()),
          params: fc.oneof(fc.constant(null), anyJson()),
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
    fc.string({ unit: 'binary', maxLength: 200 }),
  )

export const subscriptionChecks: readonly Check[] = [
  {
    id: 'ws.subscribe.answer',
    title: 'subscribe is answered by subscribed, with its id and the id of the subscription',
    clauses: ['6.1-14'],
    level: 'may',
    needs,
    run: async (t) => {
      const taskId = await endedTask(t)
      await withSocket(t, async (socket) => {
        const id = subscribe(socket, topicOf(t, taskId))
        const answer = await answerTo(socket, id)
        const { subscription } = answer
        decidedEqual(t, answer, { type: 'subscribed', id, subscription }, 'the answer')
        decidedEqual(t, typeof subscription, 'string', 'the type of subscription')
        const update = await socket.expect('an update', isUpdateOf(taskId))
        decidedEqual(t, update.subscription, subscription, 'the subscription of an update')
        decidedEqual(t, socket.frames[0]?.json, answer, 'the first message')
      })
    },
  },
  {
    id: 'ws.subscribe.topic-letters',
    title: 'observed: a topic whose task id is in capital letters',
    clauses: ['6.1-17'],
    level: 'may',
    needs,
    run: async (t) => {
      const id = await endedTask(t)
      await withSocket(t, async (socket) => {
        const topic = topicOf(t, `0x${id.slice(2).toUpperCase()}`)
        const answer = await answerTo(socket, subscribe(socket, topic))
        t.observe(`a task id in capital letters: ${show(answer)}`)
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
            'the answer',
          )
        })
      },
    }),
  ),
  {
    id: 'ws.unsubscribe',
    title: 'after unsubscribe, which is answered in kind, nothing more is told of the task',
    clauses: ['6.1-15'],
    level: 'may',
    needs: heldTaskNeeds,
    exclusive: true,
    run: async (t) => {
      const { left, follower } = await heldTask(t)
      const [first] = left.before as readonly JsonObject[]
      const { type, subscription } = left.answer ?? {}
      decidedEqual(
        t,
        { type, subscription },
        { type: 'unsubscribed', subscription: first?.subscription },
        'the answer to unsubscribe',
      )
      const told = follower.filter(isUpdate).length
      decided(t, told > 0, 'the updates of one that stayed', 'some', told)
      decidedEqual(t, left.after, [], 'what came after it')
    },
  },
  {
    id: 'ws.unsubscribe.unknown',
    title: 'unsubscribe of a subscription that was never given is answered with an error',
    clauses: ['6.1-15'],
    level: 'may',
    needs,
    twin: 'unsubscribe of one that was',
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
          decidedEqual(t, answer.type, 'unsubscribed', 'the answer to unsubscribe')
        })
        decidedEqual(t, (await end('nobody-was-given-this')).type, 'error', 'the answer')
      })
    },
  },
  {
    id: 'ws.limit.subscriptions',
    title: `of ${crowdSize} subscriptions of a connection the last is refused, the others are not`,
    clauses: ['6.1-18'],
    level: 'may',
    needs: heldTaskNeeds,
    exclusive: true,
    run: async (t) => {
      const { crowd } = await heldTask(t)
      const types = crowd.map((answer) => answer?.type)
      t.observe(`the last of ${crowdSize} subscriptions: ${show(crowd.at(-1))}`)
      const accepted = types.filter((type) => type === 'subscribed').length
      decidedEqual(t, [accepted, types.at(-1)], [crowdSize - 1, 'error'], 'accepted, and the last')
    },
  },
  {
    id: 'ws.limit.frame',
    title: 'a frame of 256 KiB is read and answered; a larger one closes the connection, with 1009',
    clauses: ['6.1-18'],
    level: 'may',
    needs,
    twin: 'a frame below the limit',
    run: async (t) => {
      const limit = 256 * 1024
      const padded = (length: number) => {
        const bare = message({ method: 'x', pad: '' })
        return message({ method: 'x', pad: 'p'.repeat(length - bare.length) })
      }
      await withSocket(t, async (socket) => {
        await t.twin(async () => {
          socket.sendRaw(padded(limit))
          const answer = await answerTo(socket, 'a').catch(() => undefined)
          decidedEqual(t, answer?.type, 'error', 'the answer to a frame of 256 KiB')
          await expectAlive(t, socket, 'a right subscription after it')
        })
        socket.sendRaw(padded(limit + 1))
        const closing = await socket.closed(10_000)
        decidedEqual(t, closing?.code, 1009, 'the close code after a larger frame')
      })
    },
  },
  answered('no-json', 'a frame that is no JSON', () => 'subscribe me', [-32700]),
  answered('empty', 'an empty frame', () => '', [-32700]),
  answered('array', 'an array', () => '[]', [-32600]),
  answered('null', 'null', () => 'null', [-32600]),
  answered('no-type', 'a message without a type', () => '{"id":"a"}', [-32600]),
  answered(
    'other-type',
    'a message of an unknown type',
    () => message({ type: 'publish' }),
    [-32600],
  ),
  answered('object-id', 'a message whose id is an object', () => message({ id: {} }), [-32600]),
  answered(
    'params',
    'a subscription with params',
    () => message({ method: 'x', params: [1] }),
    [-32602],
  ),
  answered('deep', 'a message nested ten thousand deep', () => '['.repeat(10_000), [-32700]),
  {
    id: 'ws.message.binary',
    title: 'observed: a binary frame',
    clauses: ['6.1-19'],
    level: 'may',
    needs,
    run: async (t) => {
      const topic = topicOf(t, await endedTask(t))
      await withSocket(t, async (socket) => {
        const id = randomUUID()
        const text = JSON.stringify({ type: 'subscribe', id, method: topic, params: null })
        socket.sendRaw(Buffer.from(text))
        const closing = await socket.closed(3_000)
        const answer = socket.frames[0]?.text
        decided(
          t,
          closing?.code === 1003 || answer !== undefined,
          'a binary frame',
          'closed with 1003, or answered',
          closing ?? answer,
        )
      })
    },
  },
  {
    id: 'ws.message.any-frame',
    title: 'no frame kills the connection silently, is unanswered, or makes an internal error',
    clauses: ['6.1-19'],
    level: 'may',
    needs,
    run: async (t) => {
      const topic = topicOf(t, await endedTask(t))
      const leaked = t.leaks().length
      await checkProperty(t, 'frames', anyFrame(topic), { runs: 40 }, async (frame) => {
        await withSocket(t, async (socket) => {
          socket.sendRaw(frame)
          const answer = await socket
            .expect('an answer', () => true, { ms: 10_000 })
            .catch(() => undefined)
          const closing = answer === undefined ? await socket.closed(10) : undefined
          const error = isObject(answer?.error) ? answer.error : {}
          const fault =
            closing?.code === 1006
              ? 'a broken connection'
              : answer === undefined && closing === undefined
                ? 'no answer'
                : error.code === -32603
                  ? 'an internal error'
                  : closing === undefined && !(await isAlive(t, socket))
                    ? 'a connection that serves no more'
                    : undefined
          // Only what is not so is told: forty frames would fill a report.
          if (fault !== undefined) decided(t, false, 'what follows a frame', 'an answer', fault)
        })
      })
      expectEqual(t.leaks().length, leaked, 'the number of secrets that were heard')
    },
  },
]

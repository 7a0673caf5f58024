import { randomUUID } from 'node:crypto'
import { anyFrame } from '../arbitraries/updateFrame.ts'
import { decided, decidedEqual } from '../lab/decided.ts'
import { endedTask, followedNeeds } from '../lab/followedTasks.ts'
import type { UpdateSocket } from '../lab/updateSocket.ts'
import { answerTo, subscribe, topicOf, withSocket } from '../lab/updates.ts'
import type { Check } from '../runner/check.ts'
import type { CheckContext } from '../runner/context.ts'
import { expectEqual, isObject, type JsonObject } from '../runner/expect.ts'
import { checkProperty } from '../runner/property.ts'

/** Section 6.1 and decision W3: frames of any size and content, most of them invalid messages. */
const needs = followedNeeds

/** The connection still works: a valid subscription is answered. */
const isAlive = async (t: CheckContext, socket: UpdateSocket): Promise<boolean> => {
  const id = subscribe(socket, topicOf(t, await endedTask(t)))
  const answer = await answerTo(socket, id).catch(() => undefined)
  return answer !== undefined
}

const expectAlive = async (t: CheckContext, socket: UpdateSocket, what: string) => {
  const alive = await isAlive(t, socket)
  decided(t, alive, what, 'answered', alive ? 'answered' : 'not answered')
}

/** After an invalid message: an error, and the connection continues. */
const answered = (
  name: string,
  what: string,
  frame: (t: CheckContext) => string | Uint8Array,
  codes: readonly number[],
): Check => ({
  id: `ws.message.${name}`,
  title: `${what} is answered with an error, and the connection continues`,
  clauses: ['6.1-19'],
  level: 'may',
  needs,
  twin: 'a valid subscription on the same connection, before and after',
  run: async (t) => {
    await withSocket(t, async (socket) => {
      await t.twin(() => expectAlive(t, socket, 'a valid subscription'))
      const from = socket.frames.length
      socket.sendRaw(frame(t))
      const answer = await socket
        .expect('an error', ({ type }) => type === 'error', { from, ms: 10_000 })
        .catch(() => undefined)
      const error = isObject(answer?.error) ? answer.error : {}
      decided(t, codes.includes(Number(error.code)), what, `an error ${codes.join(' or ')}`, answer)
      await expectAlive(t, socket, `a valid subscription after ${what}`)
    })
  },
})

const message = (change: JsonObject) => JSON.stringify({ type: 'subscribe', id: 'a', ...change })

export const frameChecks: readonly Check[] = [
  {
    id: 'ws.limit.frame',
    title: 'a frame of 256 KiB is answered; a larger one closes the connection with 1009',
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
          decidedEqual(t, answer?.type, 'error', 'the response to a frame of 256 KiB')
          await expectAlive(t, socket, 'a valid subscription after it')
        })
        socket.sendRaw(padded(limit + 1))
        const closing = await socket.closed(10_000)
        decidedEqual(t, closing?.code, 1009, 'the close code after a larger frame')
      })
    },
  },
  answered('no-json', 'a frame that is not JSON', () => 'subscribe me', [-32700]),
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
    title:
      'no frame closes the connection silently, remains unanswered, or causes an internal error',
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
                    ? 'a connection that no longer works'
                    : undefined
          // Only faults are recorded: forty frames would fill a report.
          if (fault !== undefined) decided(t, false, 'the response to a frame', 'an answer', fault)
        })
      })
      expectEqual(t.leaks().length, leaked, 'the number of secrets found in frames')
    },
  },
]

import { randomUUID } from 'node:crypto'
import { anyFrame } from '../arbitraries/updateFrame.ts'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, isObject, type JsonObject } from '../core/expect.ts'
import { isRequired, observed } from '../kit/assertions/observed.ts'
import { checkProperty } from '../kit/assertions/property.ts'
import { endedTask, followedNeeds } from '../kit/scenarios/followedTasks.ts'
import { answerTo, subscribe, topicOf, withSocket } from '../kit/scenarios/updates.ts'
import type { UpdateSocket } from '../wire/updateSocket.ts'

/** Section 6.1 and decision W3: frames of any size and content, most of them invalid messages. */
const needs = followedNeeds

/** The connection still works: a valid subscription is answered. */
async function isAlive(t: CheckContext, socket: UpdateSocket): Promise<boolean> {
  const id = subscribe(socket, topicOf(t, await endedTask(t)))
  const answer = await answerTo(socket, id).catch(() => undefined)
  return answer !== undefined
}

/** Unanswered frames after which the rest of the frames would only be waited for. */
const unansweredFrames = 3

async function expectAlive(t: CheckContext, socket: UpdateSocket, what: string) {
  const alive = await isAlive(t, socket)
  observed(t, 'connection-alive', what, alive ? 'answered' : 'not answered', { alive })
}

/** After an invalid message: an error, and the connection continues. */
const answered = (
  id: string,
  what: string,
  frame: (t: CheckContext) => string | Uint8Array,
): Check => ({
  id,
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
      observed(t, 'answer', what, answer)
      await expectAlive(t, socket, `a valid subscription after ${what}`)
    })
  },
})

const message = (change: JsonObject) => JSON.stringify({ type: 'subscribe', id: 'a', ...change })

export const frameChecks: readonly Check[] = [
  {
    // 6.1-18: The limits of subscriptions and frames.
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
          observed(t, 'answer', 'the response to a frame of 256 KiB', answer?.type)
          await expectAlive(t, socket, 'a valid subscription after it')
        })
        socket.sendRaw(padded(limit + 1))
        const closing = await socket.closed(10_000)
        observed(t, 'close-code', 'the close code after a larger frame', closing?.code)
      })
    },
  },
  // 6.1-19: The response to an invalid message.
  answered('ws.message.no-json', 'a frame that is not JSON', () => 'subscribe me'),
  answered('ws.message.empty', 'an empty frame', () => ''),
  answered('ws.message.array', 'an array', () => '[]'),
  answered('ws.message.null', 'null', () => 'null'),
  answered('ws.message.no-type', 'a message without a type', () => '{"id":"a"}'),
  answered('ws.message.other-type', 'a message of an unknown type', () =>
    message({ type: 'publish' }),
  ),
  answered('ws.message.object-id', 'a message whose id is an object', () => message({ id: {} })),
  answered('ws.message.params', 'a subscription with params', () =>
    message({ method: 'x', params: [1] }),
  ),
  answered('ws.message.deep', 'a message nested ten thousand deep', () => '['.repeat(10_000)),
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
        observed(t, 'outcome', 'a binary frame', closing ?? answer, {
          closing: closing?.code,
          answer,
        })
      })
    },
  },
  {
    // 6.1-19: The response to an invalid message.
    id: 'ws.message.any-frame',
    title:
      'no frame closes the connection silently, remains unanswered, or causes an internal error',
    clauses: ['6.1-19'],
    level: 'may',
    needs,
    run: async (t) => {
      const topic = topicOf(t, await endedTask(t))
      let unanswered = 0
      await checkProperty(t, 'frames', anyFrame(topic), { runs: 40 }, async (frame) => {
        if (unanswered >= unansweredFrames && !isRequired(t, 'fault')) return
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
          if (fault === undefined) return
          unanswered++
          observed(t, 'fault', 'the response to a frame', fault)
        })
      })
      expectEqual(t.leaks(), [], 'secrets found in frames')
    },
  },
]

import { randomUUID } from 'node:crypto'
import { Untestable } from '../runner/conformanceError.ts'
import type { CheckContext } from '../runner/context.ts'
import type { JsonObject } from '../runner/expect.ts'
import type { Answer } from '../wire/gateway.ts'
import { fixture } from './fixtures.ts'
import { createTask, freshSender, type TaskParams, taskParams, transferIntent } from './requests.ts'
import type { UpdateSocket } from './updateSocket.ts'
import {
  endOf,
  expectSent,
  isEnd,
  isUpdateOf,
  sendTask,
  subscribe,
  topicOf,
  withSocket,
} from './updates.ts'
import { pause } from './webhooks.ts'

/** What was seen and said around one task while its oracle kept it under way. */
export type HeldTask = {
  readonly params: TaskParams
  readonly taskId: string
  readonly sent: Answer
  /** From the submission to its answer, and to the end of the task. */
  readonly answeredMs: number
  readonly endedMs: number
  /** The same intent again, sent and created, while the first was under way. */
  readonly sentAgain: Answer
  readonly createdAgain: Answer
  /** Messages of a subscriber that stayed, of a second one, and of one that left. */
  readonly follower: readonly unknown[]
  readonly second: readonly unknown[]
  /** Of the one that left: what came before the answer to unsubscribe, that answer, what came later. */
  readonly left: {
    readonly before: readonly unknown[]
    readonly answer: JsonObject | undefined
    readonly after: readonly unknown[]
  }
  /** What a connection was answered to its 65 subscriptions to the task, in order. */
  readonly crowd: readonly (JsonObject | undefined)[]
  /** Whether all that was said had been answered before the task ended. */
  readonly heldToTheEnd: boolean
}

/** One more than a connection may have (decisions, section 9). */
export const crowdSize = 65

const messages = (socket: UpdateSocket, from = 0) => socket.frames.slice(from).map((f) => f.json)

/** An answer that may not come: what is open is not waited for long. */
const perhaps = (socket: UpdateSocket, id: unknown) =>
  socket.expect('an answer', (message) => message.id === id, { ms: 2_000 }).catch(() => undefined)

const leave = async (socket: UpdateSocket, topic: string): Promise<JsonObject | undefined> => {
  const answer = await perhaps(socket, subscribe(socket, topic))
  const id = randomUUID()
  socket.send({ type: 'unsubscribe', id, subscription: answer?.subscription ?? id })
  return perhaps(socket, id)
}

const crowd = async (socket: UpdateSocket, topic: string) => {
  const ids = Array.from({ length: crowdSize }, () => subscribe(socket, topic))
  await perhaps(socket, ids.at(-1))
  const answers = messages(socket) as readonly (JsonObject | undefined)[]
  return ids.map((id) => answers.find((answer) => answer?.id === id))
}

const make = (t: CheckContext): Promise<HeldTask> => {
  const follow = <T>(run: (socket: UpdateSocket) => Promise<T>) => withSocket(t, run)
  return follow((stays) =>
    follow((second) =>
      follow((leaves) =>
        follow(async (crowded) => {
          const intent = transferIntent(t, { from: freshSender(t) })
          const params = taskParams(t, fixture.looping, { intent })
          const started = performance.now()
          const sent = await sendTask(t, params)
          const answeredMs = performance.now() - started
          const taskId = expectSent(sent)
          const topic = topicOf(t, taskId)
          subscribe(stays, topic)
          const [sentAgain, createdAgain, answer, answers] = await Promise.all([
            sendTask(t, params),
            createTask(t, params),
            leave(leaves, topic),
            crowd(crowded, topic),
            perhaps(second, subscribe(second, topic)),
          ])
          const gone = leaves.frames.length
          const heldToTheEnd = !stays.frames.some(({ json }) => isEndOf(taskId, json))
          await endOf(stays, taskId)
          const endedMs = performance.now() - started
          await endOf(second, taskId)
          await pause(300)
          return {
            params,
            taskId,
            sent,
            answeredMs,
            endedMs,
            sentAgain,
            createdAgain,
            follower: messages(stays),
            second: messages(second),
            left: {
              before: messages(leaves).slice(0, gone),
              answer,
              after: messages(leaves, gone),
            },
            crowd: answers,
            heldToTheEnd,
          }
        }),
      ),
    ),
  )
}

const isEndOf = (taskId: string, message: unknown) => isUpdateOf(taskId)(message) && isEnd(message)

/** One task for all checks that look at one under way: its oracle never ends, until its limit. */
export const heldTask = async (t: CheckContext): Promise<HeldTask> => {
  const held = await t.once('held task', () => make(t))
  if (!held.heldToTheEnd) throw new Untestable('the task ended before all was said')
  return held
}

export const heldTaskNeeds = [
  'key:read',
  'sender',
  'chain',
  'websocket',
  `client:${fixture.looping}`,
] as const

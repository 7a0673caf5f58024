import { randomUUID } from 'node:crypto'
import { awaitLater } from 'polgate-lib/async/awaitLater.ts'
import type { Answer } from '../../core/answer.ts'
import { TooLate } from '../../core/conformanceError.ts'
import type { CheckContext } from '../../core/context.ts'
import type { JsonObject } from '../../core/expect.ts'
import { loopWatch } from '../../core/loopWatch.ts'
import type { UpdateSocket } from '../../wire/updateSocket.ts'
import { isRequired } from '../assertions/observed.ts'
import { fixture } from './fixtures.ts'
import { pause } from './pause.ts'
import { mirrorUrl, step, tape } from './probe.ts'
import { createTask, failureOf, type TaskParams, taskParams } from './requests.ts'
import {
  answerTo,
  endOf,
  expectSent,
  isEnd,
  isUpdateOf,
  perhapsMs,
  sendTask,
  subscribe,
  topicOf,
  withSocket,
} from './updates.ts'

/** Requests and events around a task that waits for its oracle. */
export type BlockedTask = {
  readonly taskId: string
  readonly sent: Answer
  /** From the submission to its response, and to the end of the task. */
  readonly answeredMs: number
  readonly endedMs: number
  /** By how much the response may have come earlier than the suite noticed. */
  readonly answerLateMs: number
  /** Whether all requests were sent before the task ended. */
  readonly underWay: boolean
  /** The same intent again, sent and created, while the first task was in progress. */
  readonly sentAgain: Answer
  readonly createdAgain: Answer
  /** Whether the first task was in progress when the second submission was answered. */
  readonly sentUnderWay: boolean
  /** Messages of a subscriber that stayed until the end. */
  readonly follower: readonly unknown[]
  /**
   * Messages of one that unsubscribed: before the response to unsubscribe, the response, later
   * ones.
   */
  readonly left: {
    readonly before: readonly unknown[]
    readonly answer: JsonObject | undefined
    readonly after: readonly unknown[]
  }
  /** Responses on a connection to its 65 subscriptions to the task, in order. */
  readonly crowd: readonly (JsonObject | undefined)[]
  /** A concurrent task of createTask: its response, its id if it was known, and its subscribers. */
  readonly created: {
    readonly answer: Answer
    /** How long createTask, which answers at the end of a task, took. */
    readonly answeredMs: number
    readonly taskId: string | undefined
    readonly follower: readonly unknown[]
  }
}

/** One more than a connection may have (decisions, section 9). */
export const crowdSize = 65

export const blockedTaskNeeds = [
  'key:read',
  'sender',
  'chain',
  'websocket',
  'fixture-host',
  `client:${fixture.probed}`,
] as const

/** A task whose oracle calls a host that answers later than the oracle's timeout. */
const heldParams = (t: CheckContext): TaskParams =>
  taskParams(t, fixture.probed, {
    wasm_args: tape(step.fetch({ url: mirrorUrl(t, '/after/30000') })),
  })

const messages = (socket: UpdateSocket, from = 0) => socket.frames.slice(from).map((f) => f.json)

/**
 * A response that may not arrive: open points are awaited only briefly, because the task must not end
 * meanwhile.
 */
function perhaps(t: CheckContext, socket: UpdateSocket, id: unknown) {
  const ms = isRequired(t, 'answers-under-way') ? perhapsMs : t.patienceMs(1_000)
  return answerTo(socket, id, ms).catch(() => undefined)
}

type Left = Omit<BlockedTask['left'], 'after'> & { readonly gone: number }

async function leave(t: CheckContext, socket: UpdateSocket, topic: string): Promise<Left> {
  const answer = await perhaps(t, socket, subscribe(socket, topic))
  const id = randomUUID()
  socket.send({ type: 'unsubscribe', id, subscription: answer?.subscription ?? id })
  const bye = await perhaps(t, socket, id)
  const gone = socket.frames.length
  return { before: messages(socket), answer: bye, gone }
}

async function crowd(t: CheckContext, socket: UpdateSocket, topic: string) {
  const ids = Array.from({ length: crowdSize }, () => subscribe(socket, topic))
  await perhaps(t, socket, ids.at(-1))
  const answers = messages(socket) as readonly (JsonObject | undefined)[]
  return ids.map((id) => answers.find((answer) => answer?.id === id))
}

/** The task id named by the refusal of a duplicate, if any. */
async function idUnderWay(t: CheckContext, params: TaskParams): Promise<string | undefined> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const failure = failureOf(await sendTask(t, params)) ?? ''
    const [id] = /0x[0-9a-f]{64}/i.exec(failure) ?? []
    if (id !== undefined || !failure.includes('TaskAlreadyExists')) return id
    await pause(50)
  }
  return undefined
}

/**
 * Creates a task and waits for it; subscribes as soon as its id is known, which an earlier check
 * may have found.
 */
async function createAndFollow(
  t: CheckContext,
  socket: UpdateSocket,
  attempts = 3,
): Promise<BlockedTask['created']> {
  const params = heldParams(t)
  const started = performance.now()
  const creating = awaitLater(
    createTask(t, params).then((answer) => ({ answer, answeredMs: performance.now() - started })),
  )
  await pause(250)
  const taskId = await idUnderWay(t, params)
  if (taskId !== undefined) {
    subscribe(socket, topicOf(t, taskId))
    await endOf(socket, taskId).catch(() => undefined)
  }
  const created = await creating
  if (attempts > 1 && failureOf(created.answer)?.includes('TaskAlreadyExists'))
    return createAndFollow(t, socket, attempts - 1)
  const follower = messages(socket).filter((m) => taskId === undefined || isUpdateOf(taskId)(m))
  return { ...created, taskId, follower }
}

async function hold(
  t: CheckContext,
  stays: UpdateSocket,
  leaves: UpdateSocket,
  crowded: UpdateSocket,
  beside: UpdateSocket,
): Promise<BlockedTask> {
  const params = heldParams(t)
  const started = performance.now()
  const sent = await sendTask(t, params)
  const answeredAt = performance.now()
  const answeredMs = answeredAt - started
  // Noted at once: a later check reads them.
  const answerLateMs = loopWatch().stalled(started, answeredAt)
  const taskId = expectSent(sent)
  const topic = topicOf(t, taskId)
  subscribe(stays, topic)
  const hasEnded = () => stays.frames.some(({ json }) => isUpdateOf(taskId)(json) && isEnd(json))
  const [[sentAgain, sentUnderWay], createdAgain] = await Promise.all([
    sendTask(t, params).then((again) => [again, !hasEnded()] as const),
    createTask(t, params),
  ])
  const [{ gone, ...left }, answers] = await Promise.all([
    leave(t, leaves, topic),
    crowd(t, crowded, topic),
  ])
  const underWay = !hasEnded()
  const creating = awaitLater(createAndFollow(t, beside))
  await endOf(stays, taskId)
  const endedMs = performance.now() - started
  const created = await creating
  await pause(300)
  return {
    taskId,
    sent,
    answeredMs,
    endedMs,
    answerLateMs,
    underWay,
    sentAgain,
    sentUnderWay,
    createdAgain,
    follower: messages(stays),
    left: { ...left, after: messages(leaves, gone) },
    crowd: answers,
    created,
  }
}

/** One task for all checks of a task in progress. Throws if it ended too early for them. */
export async function blockedTask(t: CheckContext): Promise<BlockedTask> {
  const held = await slowTask(t)
  if (!held.underWay) throw new TooLate('the task ended before all requests were sent')
  return held
}

/** One task whose oracle calls a slow host, and all requests around it. */
export const slowTask = (t: CheckContext): Promise<BlockedTask> =>
  t.once('held task', () =>
    withSocket(t, (stays) =>
      withSocket(t, (leaves) =>
        withSocket(t, (crowded) =>
          withSocket(t, (beside) => hold(t, stays, leaves, crowded, beside)),
        ),
      ),
    ),
  )

import { randomUUID } from 'node:crypto'
import type { Answer } from '../../core/answer.ts'
import { Untestable } from '../../core/conformanceError.ts'
import type { CheckContext } from '../../core/context.ts'
import { expectMatch, isObject, type JsonObject } from '../../core/expect.ts'
import type { CallOptions } from '../../core/gateway.ts'
import { updatesUrl } from '../../targets/places.ts'
import { type Opening, openUpdateSocket, type UpdateSocket } from '../../wire/updateSocket.ts'
import { expectResultObject } from '../assertions/expectAnswer.ts'
import { isRequired } from '../assertions/observed.ts'
import { type CallKey, keyValue } from './ownKey.ts'

export const sendTask = (t: CheckContext, params: unknown, options?: CallOptions) =>
  t.gateway.call('sendTask', params, options)

/** The task id of a submission that must be accepted. */
export function expectSent(answer: Answer): string {
  const { task_id } = expectResultObject(answer)
  expectMatch(task_id, /^0x[0-9a-f]{64}$/i, 'task_id')
  return task_id as string
}

export const topicOf = (t: CheckContext, taskId: string): string =>
  `${t.target.brand.topicPrefix}${taskId}`

/** Opens a WebSocket; a refusal is a result. The URL is not recorded: it may contain a key. */
export async function openSocket(
  t: CheckContext,
  options: {
    readonly headers?: Record<string, string>
    readonly query?: string
    /** The target's address by default. */
    readonly address?: string
  } = {},
): Promise<Opening> {
  await t.turn()
  return openUpdateSocket({
    url: `${options.address ?? updatesUrl(t.target)}${options.query ?? ''}`,
    headers: options.headers ?? {},
    heard: (text) => {
      t.heard('a frame of the WebSocket', { body: text })
      t.saw({ kind: 'frame', from: 'gateway', text })
    },
    said: (text) => t.saw({ kind: 'frame', from: 'suite', text }),
    patienceMs: t.patienceMs,
  })
}

async function connect(t: CheckContext, key: CallKey): Promise<UpdateSocket> {
  const headers = { authorization: `Bearer ${keyValue(t, key)}` }
  const opening = await openSocket(t, { headers })
  if (opening.kind === 'open') return opening.socket
  // The capability `websocket` was probed before: this key lacks the permission.
  const why = opening.kind === 'refused' ? `HTTP ${opening.status}` : opening.reason
  throw new Untestable(`the WebSocket does not open: ${why}`)
}

/** Runs something with an open WebSocket, and closes it. */
export async function withSocket<T>(
  t: CheckContext,
  run: (socket: UpdateSocket) => Promise<T>,
  key: CallKey = 'read',
): Promise<T> {
  const socket = await connect(t, key)
  try {
    return await run(socket)
  } finally {
    await socket.close()
  }
}

/** The same with several of them. */
export const withSockets = <T>(
  t: CheckContext,
  count: number,
  key: CallKey,
  run: (sockets: readonly UpdateSocket[]) => Promise<T>,
): Promise<T> =>
  count === 0
    ? run([])
    : withSockets(t, count - 1, key, (others) =>
        withSocket(t, (socket) => run([...others, socket]), key),
      )

/** Sends a subscribe message (section 6.1); returns its id. */
export function subscribe(socket: UpdateSocket, topic: unknown): string {
  const id = randomUUID()
  socket.send({ type: 'subscribe', id, method: topic, params: null })
  return id
}

/** The response to a message with an id, if there is one (decision W3). */
export const answerTo = (socket: UpdateSocket, id: unknown, ms = 10_000): Promise<JsonObject> =>
  socket.expect('an answer with the id of the message', (message) => message.id === id, { ms })

/** How long to wait for what a gateway may leave out. */
export const perhapsMs = 3_000

/**
 * The same where the gateway may leave it out: whether a message is answered, and in which form, is
 * open (clauses 6.1-14, 6.1-15, 6.1-17). A point that is required waits as usual.
 */
export const answerIfAny = (
  t: CheckContext,
  point: string,
  socket: UpdateSocket,
  id: unknown,
): Promise<JsonObject | undefined> =>
  isRequired(t, point)
    ? answerTo(socket, id)
    : answerTo(socket, id, t.patienceMs(perhapsMs)).catch(() => undefined)

/** Whether a message of the gateway refuses something: the form is open (clause 6.1-14). */
export const isRefusal = (answer: JsonObject | undefined): boolean =>
  answer !== undefined && (answer.type === 'error' || isObject(answer.error))

export const isUpdate = (message: unknown): message is JsonObject =>
  isObject(message) && message.type === 'update'

const resultOf = (message: JsonObject): JsonObject =>
  isObject(message.result) ? message.result : {}

export const eventOf = (message: JsonObject): unknown => resultOf(message).event

export function dataOf(message: JsonObject): JsonObject {
  const { data } = resultOf(message)
  return isObject(data) ? data : {}
}

const sameId = (a: unknown, b: string) =>
  typeof a === 'string' && a.toLowerCase() === b.toLowerCase()

export const isUpdateOf =
  (taskId: string) =>
  (message: unknown): message is JsonObject =>
    isUpdate(message) && sameId(resultOf(message).task_id, taskId)

const ends: readonly unknown[] = ['success', 'failed', 'timeout']

/** Determined by status: the event names are open except one. */
export const isEnd = (message: JsonObject): boolean => ends.includes(dataOf(message).status)

/** Updates of a task so far, in order. */
export const updatesOf = (socket: UpdateSocket, taskId: string): readonly JsonObject[] =>
  socket.frames.map(({ json }) => json).filter(isUpdateOf(taskId))

/** Waits for the update with the end of a task. */
export const endOf = (
  socket: UpdateSocket,
  taskId: string,
  options?: { readonly ms: number },
): Promise<JsonObject> =>
  socket.expect(
    'an update with the end of the task',
    (message) => isUpdateOf(taskId)(message) && isEnd(message),
    options,
  )

/**
 * The end of a task that has ended, on a new subscription, where the gateway may leave it out: what
 * late subscribers receive, and whether tasks of createTask have any, is open (clauses 6.1-16 and
 * 6.1-23). A point that is required waits as usual.
 */
export async function endIfAny(
  t: CheckContext,
  point: string,
  socket: UpdateSocket,
  taskId: string,
): Promise<{ readonly answer: JsonObject | undefined; readonly end: JsonObject | undefined }> {
  const answer = await answerIfAny(t, point, socket, subscribe(socket, topicOf(t, taskId)))
  if (isRequired(t, point)) return { answer, end: await endOf(socket, taskId) }
  if (isRefusal(answer)) return { answer, end: undefined }
  const ms = t.patienceMs(perhapsMs)
  return { answer, end: await endOf(socket, taskId, { ms }).catch(() => undefined) }
}

/** Submits a task, follows it to its end, and returns all its updates. */
export const followTask = (
  t: CheckContext,
  params: unknown,
): Promise<{
  taskId: string
  end: JsonObject
  updates: readonly JsonObject[]
  frames: unknown[]
}> =>
  withSocket(t, async (socket) => {
    const taskId = expectSent(await sendTask(t, params))
    subscribe(socket, topicOf(t, taskId))
    const end = await endOf(socket, taskId)
    const frames = socket.frames.map(({ json }) => json)
    return { taskId, end, updates: updatesOf(socket, taskId), frames }
  })

const notificationMembers = ['notification_id', 'task_id', 'failure_type', 'is_recoverable']

/** The failure notification anywhere in a message, also in a list: its envelope is open. */
export function notificationIn(message: unknown, depth = 0): JsonObject | undefined {
  if (depth > 6 || typeof message !== 'object' || message === null) return undefined
  if (isObject(message) && notificationMembers.every((name) => name in message)) return message
  for (const value of Object.values(message)) {
    const found = notificationIn(value, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

import { randomUUID } from 'node:crypto'
import type { Answer } from '../../core/answer.ts'
import { Untestable } from '../../core/conformanceError.ts'
import type { CheckContext } from '../../core/context.ts'
import { expectMatch, isObject, type JsonObject } from '../../core/expect.ts'
import type { CallOptions } from '../../core/gateway.ts'
import { updatesUrl } from '../../targets/places.ts'
import { type Opening, openUpdateSocket, type UpdateSocket } from '../../wire/updateSocket.ts'
import { expectResultObject } from '../assertions/expectAnswer.ts'
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
      t.heard(text)
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

/** Sends a subscribe message (section 6.1); returns its id. */
export function subscribe(socket: UpdateSocket, topic: unknown): string {
  const id = randomUUID()
  socket.send({ type: 'subscribe', id, method: topic, params: null })
  return id
}

/** The response to a message with an id, if there is one (decision W3). */
export const answerTo = (socket: UpdateSocket, id: unknown, ms = 10_000): Promise<JsonObject> =>
  socket.expect('an answer with the id of the message', (message) => message.id === id, { ms })

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
export const endOf = (socket: UpdateSocket, taskId: string): Promise<JsonObject> =>
  socket.expect(
    'an update with the end of the task',
    (message) => isUpdateOf(taskId)(message) && isEnd(message),
  )

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

/** The failure notification anywhere in a message: its envelope is open. */
export function notificationIn(message: unknown, depth = 0): JsonObject | undefined {
  if (depth > 4 || !isObject(message)) return undefined
  if (notificationMembers.every((name) => name in message)) return message
  for (const value of Object.values(message)) {
    const found = notificationIn(value, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

import { randomUUID } from 'node:crypto'
import { Untestable } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import type { JsonObject } from '../core/expect.ts'
import { type CallKey, keyValue } from '../kit/scenarios/ownKey.ts'
import {
  answerTo,
  endOf,
  isRefusal,
  openSocket,
  perhapsMs,
  subscribe,
  topicOf,
} from '../kit/scenarios/updates.ts'
import type { UpdateSocket } from '../wire/updateSocket.ts'

export type Following = {
  readonly id: string
  /** The response to subscribe, if there was one (decision W3). */
  answer: JsonObject | undefined
  /** Number of frames when the subscription had ended. */
  left: number | undefined
}

/** A connection, and the subscribed tasks, by id in lower case. */
export type Follower = {
  readonly socket: UpdateSocket
  readonly asked: Map<string, Following>
  /** It does not answer subscribe. */
  silent: boolean
}

export async function openFollower(t: CheckContext, key: CallKey): Promise<Follower> {
  const headers = { authorization: `Bearer ${keyValue(t, key)}` }
  const opening = await openSocket(t, { headers })
  if (opening.kind !== 'open') throw new Untestable(`the WebSocket does not open: ${opening.kind}`)
  return { socket: opening.socket, asked: new Map(), silent: false }
}

export const closeFollower = ({ socket }: Follower): Promise<void> => socket.close()

export function follow(t: CheckContext, { socket, asked }: Follower, taskId: string): Following {
  const id = subscribe(socket, topicOf(t, taskId))
  const following: Following = { id, answer: undefined, left: undefined }
  asked.set(taskId.toLowerCase(), following)
  return following
}

/** The response to subscribe; open behaviour is awaited only briefly. */
export async function answered(follower: Follower, following: Following) {
  following.answer ??= await answerTo(follower.socket, following.id, perhapsMs).catch(
    () => undefined,
  )
  return following.answer
}

/**
 * Ends a subscription (decision W3). After a response that names it, no more updates of it may arrive;
 * how else a subscription ends is open.
 */
export async function leave(follower: Follower, taskId: string): Promise<void> {
  const following = follower.asked.get(taskId.toLowerCase())
  if (following === undefined) return
  const answer = await answered(follower, following)
  const id = randomUUID()
  follower.socket.send({ type: 'unsubscribe', id, subscription: answer?.subscription ?? null })
  const bye = await answerTo(follower.socket, id, perhapsMs).catch(() => undefined)
  const named = bye?.subscription !== undefined && bye.subscription === answer?.subscription
  if (named && !isRefusal(bye)) following.left = follower.socket.frames.length
}

export const receivedEnd = (follower: Follower, taskId: string): Promise<JsonObject> =>
  endOf(follower.socket, taskId)

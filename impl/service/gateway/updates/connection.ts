import { createSerialQueue } from 'polgate-lib/async/serialQueue.ts'
import type { Clock } from 'polgate-protocol/clock.ts'
import { monotonicClock } from 'polgate-protocol/clock.ts'
import { stringifyExact } from 'polgate-protocol/exactJson.ts'
import { errorCode, type JsonRpcId } from 'polgate-protocol/jsonRpc.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { invalidFormat, type ServiceError } from 'polgate-protocol/serviceError.ts'
import { closeCode } from 'polgate-protocol/socketAddress.ts'
import type { ServerMessage } from 'polgate-protocol/socketMessages.ts'
import type { RawData, WebSocket } from 'ws'
import { asServiceError, errorObject, rateLimited } from '../errors.ts'
import type { Caller } from '../ports.ts'
import { parseMessage, readFrame } from './clientMessage.ts'
import { isKeyFault, tooManySubscriptions, unknownTask } from './errors.ts'
import type { Delivery } from './follower.ts'
import type { UpdateLimits } from './limits.ts'
import { createMessageBudget } from './messageBudget.ts'
import { createOutgoingSocket, type OutgoingSocketOptions } from './outgoingSocket.ts'
import { createSubscriptions } from './subscriptions.ts'
import type { TaskFeeds } from './taskFeeds.ts'

export type ConnectionDeps = {
  readonly socket: WebSocket
  /** Checks the key again; throws ServiceError -32001 or -32003 if it is no longer valid. */
  readonly authorize: () => Promise<Caller>
  readonly topicPrefix: string
  /** Unique prefix of its subscription ids. */
  readonly name: string
  readonly feeds: TaskFeeds
  readonly limits: UpdateLimits
  readonly ofKey: OutgoingSocketOptions['ofKey']
  readonly clock: Clock
  readonly onInternalError: (error: unknown) => void
}

export type Connection = {
  close(code: number, reason: string): void
  /** Sends a ping; disconnects a client that has not answered the last one. */
  heartbeat(): void
  subscriptions(): number
}

/** Queued messages at which reading from the socket pauses. */
const maxWaiting = 16
/** Consecutive rejected messages that end the connection. */
const maxRefused = 100

/** One client: processes its messages in order, and sends it the updates of its tasks. */
export function createConnection(deps: ConnectionDeps): Connection {
  const { socket, feeds, limits, topicPrefix } = deps
  const budget = createMessageBudget(monotonicClock, limits)
  const subscriptions = createSubscriptions(limits.subscriptions, deps.name)
  const outlet = createOutgoingSocket(socket, {
    ...limits,
    ofKey: deps.ofKey,
    onClosing: () => subscriptions.clear(),
  })
  let alive = true
  let waiting = 0
  const messages = createSerialQueue()

  const send = (message: ServerMessage) => outlet.send(stringifyExact(message))
  const sendError = (id: JsonRpcId, error: ServiceError) =>
    send({ type: 'error', id, error: errorObject(error) } as ServerMessage)

  const deliver = (subscription: string, { type, result, final }: Delivery) => {
    if (final) subscriptions.end(subscription)
    outlet.send(
      `{"type":"${type}","subscription":${JSON.stringify(subscription)},"result":${result}}`,
    )
  }

  const taskOf = (topic: string): Bytes32 => {
    const id = topic.startsWith(topicPrefix) ? topic.slice(topicPrefix.length) : ''
    if (!/^0x[0-9a-fA-F]{64}$/.test(id))
      throw invalidFormat(`method must be ${topicPrefix} followed by a task id of 32 bytes`)
    return id.toLowerCase() as Bytes32
  }

  const subscribe = async (id: JsonRpcId, topic: string, keyId: string) => {
    const taskId = taskOf(topic)
    if (subscriptions.isFull()) throw tooManySubscriptions(limits.subscriptions)
    const followed = await feeds.follow(taskId, keyId)
    if (followed === undefined) throw unknownTask()
    if (!outlet.isOpen()) return followed.stop()
    // Stores `stop` only: `followed` would keep the task record in memory.
    const subscription = subscriptions.add(followed.stop)
    send({ type: 'subscribed', id, subscription } as ServerMessage)
    followed.start({
      deliver: (delivery) => deliver(subscription, delivery),
      ended: () => subscriptions.remove(subscription),
    })
  }

  const unsubscribe = (id: JsonRpcId, subscription: string) => {
    if (!subscriptions.wasGiven(subscription)) throw invalidFormat('subscription is unknown')
    subscriptions.remove(subscription)
    send({ type: 'unsubscribed', id, subscription } as ServerMessage)
  }

  const serve = async (text: string) => {
    const frame = readFrame(text)
    const { id } = frame
    try {
      const caller = await deps.authorize()
      const wait = budget.take()
      if (wait > 0) throw rateLimited(wait)
      const message = parseMessage(frame)
      if (message.type === 'subscribe') await subscribe(id, message.method, caller.keyId)
      else unsubscribe(id, message.subscription)
    } catch (thrown) {
      const error = asServiceError(thrown)
      if (error.code === errorCode.internalError) deps.onInternalError(error.cause ?? error)
      sendError(id, error)
      if (isKeyFault(error)) outlet.close(closeCode.invalidApiKey, error.message)
      if (budget.refused() >= maxRefused)
        outlet.close(closeCode.policyViolation, 'too many messages')
    }
  }

  /** In order, so that responses are, too; a client that sends too fast is paused. */
  const receive = (data: RawData, isBinary: boolean) => {
    alive = true
    if (!outlet.isOpen()) return
    if (isBinary) return outlet.close(closeCode.unsupportedData, 'messages are text')
    const text = String(data)
    waiting += 1
    if (waiting === maxWaiting) socket.pause()
    void messages.run(async () => {
      if (outlet.isOpen()) await serve(text)
      waiting -= 1
      if (waiting === 0) socket.resume()
    })
  }

  socket.on('message', receive)
  socket.on('pong', () => {
    alive = true
  })
  // On a protocol error `ws` closes with the right code; this is for a peer that does not answer
  // it.
  socket.on('error', () => outlet.close(closeCode.protocolError, ''))

  return {
    close: outlet.close,
    heartbeat() {
      if (!alive) return socket.terminate()
      alive = false
      socket.ping()
    },
    subscriptions: () => subscriptions.size(),
  }
}

import { randomUUID } from 'node:crypto'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import type { WebSocket } from 'ws'
import { changedMessage } from '../mutants/frames.ts'
import type { Json } from '../mutants/wrappedListeners.ts'
import type { Variant } from './variant.ts'

/** Other choices in section 6.1: answers to messages, and limits. */

type Parts = NonNullable<Variant['parts']>

const unmarked = () => undefined

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Wraps the sockets of the gateway. */
export const withSockets =
  (wrap: (socket: WebSocket) => void): Parts =>
  () => ({
    updateServer: (deps) => ({
      ...deps,
      socket: (opened) => {
        const socket = deps.socket?.(opened) ?? opened
        wrap(socket)
        return socket
      },
    }),
  })

/**
 * Changes what the gateway sends; undefined drops it. `asked` is the message of the client with the
 * same id, if there is one.
 */
export const sending = (change: (frame: Json, asked: Json, socket: WebSocket) => Json): Parts =>
  withSockets((socket) => {
    const asked = new Map<unknown, Json>()
    socket.on('message', (data) => {
      const message = parsed(String(data))
      asked.set(message?.id ?? null, message)
    })
    const send = socket.send.bind(socket) as (text: string, sent: () => void) => void
    Object.assign(socket, {
      send: (text: string, sent: () => void) => {
        const frame = parsed(text)
        if (frame === undefined) return send(text, sent)
        const instead = change(frame, asked.get(frame?.id ?? null), socket)
        if (instead !== undefined) send(JSON.stringify(instead), sent)
      },
    })
  })

const isError = (frame: Json) => frame?.type === 'error'

/** Whether it refuses a subscription because of its topic, and not of a limit. */
const refusesTopic = (frame: Json, asked: Json) =>
  isError(frame) && asked?.type === 'subscribe' && frame.error?.code === errorCode.invalidParams

/** Whether it answers something that is no message of section 6.1. */
const isInvalid = (frame: Json, asked: Json) =>
  isError(frame) && asked?.type !== 'subscribe' && asked?.type !== 'unsubscribe'

export const subscriptionVariants: readonly Variant[] = [
  {
    id: 'ws.subscribe-unanswered',
    clauses: ['6.1-14'],
    choice: 'answers a subscription by its updates alone, and one to an unknown topic not at all',
    parts: sending((frame, asked) =>
      frame?.type === 'subscribed' || refusesTopic(frame, asked) ? undefined : frame,
    ),
  },
  {
    id: 'ws.subscribe-json-rpc',
    clauses: ['6.1-14', '6.1-15', '6.1-19'],
    choice: 'answers messages in the form of JSON-RPC',
    parts: sending((frame) => {
      if (!['subscribed', 'unsubscribed', 'error'].includes(frame?.type)) return frame
      const { id = null, subscription, error } = frame
      if (error !== undefined) return { jsonrpc: '2.0', id, error }
      return { jsonrpc: '2.0', id, result: frame.type === 'subscribed' ? subscription : true }
    }),
  },
  {
    id: 'ws.subscribe-answer-without-id',
    clauses: ['6.1-14'],
    choice: 'answers subscribe with the topic instead of the id of the message',
    parts: sending((frame, asked) =>
      frame?.type === 'subscribed' || refusesTopic(frame, asked)
        ? { type: 'ack', topic: asked?.method ?? null, accepted: !isError(frame) }
        : frame,
    ),
  },
  {
    id: 'ws.subscribe-answered-late',
    clauses: ['6.1-14'],
    choice: 'answers subscribe 300 ms later, after the first updates',
    parts: withSockets((socket) => {
      const send = socket.send.bind(socket) as (text: string, sent: () => void) => void
      Object.assign(socket, {
        send: (text: string, sent: () => void) => {
          if (parsed(text)?.type !== 'subscribed') return send(text, sent)
          setTimeout(() => {
            if (socket.readyState === socket.OPEN) send(text, sent)
          }, 300)
        },
      })
    }),
  },
  {
    id: 'ws.unsubscribe-unknown',
    clauses: ['6.1-15'],
    choice: 'has no unsubscribe: a client closes its connection',
    parts: () =>
      changedMessage((message) =>
        message?.type === 'unsubscribe' ? { ...message, type: 'unknown' } : message,
      )(unmarked),
  },
  {
    id: 'ws.unsubscribe-unanswered',
    clauses: ['6.1-15'],
    choice: 'does not answer unsubscribe',
    parts: sending((frame, asked) => (asked?.type === 'unsubscribe' ? undefined : frame)),
  },
  {
    id: 'ws.unsubscribe-idempotent',
    clauses: ['6.1-15'],
    choice: 'confirms unsubscribe from a subscription that it does not know',
    parts: sending((frame, asked) =>
      isError(frame) && asked?.type === 'unsubscribe'
        ? { type: 'unsubscribed', id: frame.id ?? null, subscription: asked.subscription }
        : frame,
    ),
  },
  {
    id: 'ws.unknown-topic-closes',
    clauses: ['6.1-17'],
    choice: 'closes a connection that asks for an unknown topic, with 1008',
    parts: sending((frame, asked, socket) => {
      if (!refusesTopic(frame, asked)) return frame
      socket.close(1008, 'unknown topic')
      return undefined
    }),
  },
  {
    id: 'ws.unknown-topic-accepted',
    clauses: ['6.1-17'],
    choice: 'accepts subscriptions to any topic, as a message broker does',
    parts: sending((frame, asked) =>
      refusesTopic(frame, asked)
        ? { type: 'subscribed', id: frame.id ?? null, subscription: randomUUID() }
        : frame,
    ),
  },
  {
    id: 'ws.unknown-topic-unanswered',
    clauses: ['6.1-17'],
    choice: 'does not answer a subscription to an unknown topic',
    parts: sending((frame, asked) => (refusesTopic(frame, asked) ? undefined : frame)),
  },
  {
    id: 'ws.small-limits',
    clauses: ['6.1-18'],
    choice: 'allows one subscription at a time for a connection, and frames of 1 KiB',
    config: (config) => ({
      ...config,
      webSocket: { ...config.webSocket, subscriptions: 1, frameBytes: 1024 },
    }),
  },
  {
    id: 'ws.large-limits',
    clauses: ['6.1-18'],
    choice: 'allows ten thousand subscriptions of a connection, and frames of 16 MiB',
    config: (config) => ({
      ...config,
      webSocket: { ...config.webSocket, subscriptions: 10_000, frameBytes: 16 * 1024 * 1024 },
    }),
  },
  {
    id: 'ws.invalid-message-closes',
    clauses: ['6.1-19'],
    choice: 'closes a connection that sends an invalid message, without an answer',
    parts: sending((frame, asked, socket) => {
      if (!isInvalid(frame, asked)) return frame
      socket.close(1008, 'invalid message')
      return undefined
    }),
  },
  {
    id: 'ws.invalid-message-ignored',
    clauses: ['6.1-19'],
    choice: 'ignores invalid messages',
    parts: sending((frame, asked) => (isInvalid(frame, asked) ? undefined : frame)),
  },
  {
    id: 'ws.invalid-message-text',
    clauses: ['6.1-19'],
    choice: 'answers an invalid message with text that is not JSON',
    parts: withSockets((socket) => {
      const send = socket.send.bind(socket) as (text: string, sent: () => void) => void
      Object.assign(socket, {
        send: (text: string, sent: () => void) =>
          send(isError(parsed(text)) && !parsed(text).id ? 'ERR invalid message' : text, sent),
      })
    }),
  },
  {
    id: 'ws.greeting',
    clauses: ['6.1-13', '6.1-14'],
    choice: 'greets each connection, and sends it a message every half second',
    parts: withSockets((socket) => {
      const say = (message: Json) => socket.send(JSON.stringify(message), () => {})
      setImmediate(() => say({ type: 'welcome', session: randomUUID() }))
      const ping = setInterval(() => say({ type: 'ping', timestamp: Date.now() }), 500)
      socket.once('close', () => clearInterval(ping))
    }),
  },
]

import { randomUUID } from 'node:crypto'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { WebSocket } from 'ws'

/** A subscriber with a separate connection. */
export type Subscriber = {
  /** Subscribes; resolves with the final event. */
  follow(topic: string): Promise<string>
  close(): Promise<void>
  readonly messages: () => number
  readonly bytes: () => number
}

type Message = {
  readonly type: string
  readonly id?: string
  readonly subscription?: string
  readonly error?: { readonly message: string }
  readonly result?: { readonly event?: string }
}

type Waiting = { resolve(event: string): void; reject(error: Error): void }

const finals = ['success', 'failure']

/** Connects to the WebSocket of a gateway (decisions W1, W2). */
export async function openSubscriber({
  gatewayUrl,
  apiKeys,
}: Pick<StackDescription, 'gatewayUrl' | 'apiKeys'>): Promise<Subscriber> {
  const socket = new WebSocket(`${gatewayUrl.replace(/^http/, 'ws')}/ws`, {
    headers: { authorization: `Bearer ${apiKeys.rpc}` },
  })
  const asked = new Map<string, Waiting>()
  const followed = new Map<string, Waiting>()
  let messages = 0
  let bytes = 0

  const endAll = (error: Error) => {
    for (const waiting of [...asked.values(), ...followed.values()]) waiting.reject(error)
    asked.clear()
    followed.clear()
  }

  const take = ({ type, id, subscription, error, result }: Message) => {
    if (type === 'subscribed' && id !== undefined && subscription !== undefined) {
      followed.set(subscription, asked.get(id)!)
      asked.delete(id)
    } else if (type === 'error' && id !== undefined) {
      asked.get(id)?.reject(new Error(error?.message))
      asked.delete(id)
    } else if (type === 'update' && subscription !== undefined) {
      if (result?.event === undefined || !finals.includes(result.event)) return
      const waiting = followed.get(subscription)
      if (waiting === undefined) return endAll(new Error('received a final event twice'))
      followed.delete(subscription)
      waiting.resolve(result.event)
    }
  }

  socket.on('message', (data) => {
    const text = String(data)
    messages += 1
    bytes += text.length
    take(JSON.parse(text) as Message)
  })
  const closed = new Promise<void>((resolve) =>
    socket.once('close', (code) => {
      endAll(new Error(`the connection closed with ${code}`))
      resolve()
    }),
  )
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  return {
    follow: (topic) =>
      new Promise((resolve, reject) => {
        const id = randomUUID()
        asked.set(id, { resolve, reject })
        socket.send(JSON.stringify({ type: 'subscribe', id, method: topic, params: null }))
      }),
    close() {
      socket.close()
      return closed
    },
    messages: () => messages,
    bytes: () => bytes,
  }
}

import type { TaskFailureNotification } from 'polgate-protocol/notification.ts'
import type { TaskUpdate } from 'polgate-protocol/taskUpdate.ts'
import { WebSocket } from 'ws'

export type ReceivedMessage =
  | { readonly type: 'update'; readonly result: TaskUpdate }
  | { readonly type: 'notification'; readonly result: TaskFailureNotification }

/** One WebSocket that subscribes to many tasks and records the messages of each in order. */
export async function openListener(gatewayUrl: string, key: string) {
  const socket = new WebSocket(`${gatewayUrl.replace('http', 'ws')}/ws`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const heard = new Map<string, ReceivedMessage[]>()
  const waiting = new Map<string, (answer: { type: string }) => void>()
  let asked = 0
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as ReceivedMessage | { type: 'subscribed'; id: string }
    if ('id' in message) return waiting.get(message.id)?.(message)
    const { task_id } = message.result
    heard.set(task_id, [...(heard.get(task_id) ?? []), message])
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  return {
    /** Returns `subscribed` or `error`. */
    async subscribe(topic: string): Promise<string> {
      asked += 1
      const id = String(asked)
      const answer = new Promise<{ type: string }>((resolve) => waiting.set(id, resolve))
      socket.send(JSON.stringify({ type: 'subscribe', id, method: topic, params: null }))
      return (await answer).type
    },
    of: (taskId: string): readonly ReceivedMessage[] => heard.get(taskId) ?? [],
    close: () => socket.terminate(),
  }
}

export type Listener = Awaited<ReturnType<typeof openListener>>

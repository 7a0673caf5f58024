import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { TaskUpdate } from 'polgate-protocol/taskUpdate.ts'
import type { Channel, ChannelListener } from '../../store/channel.ts'
import type { TaskUpdates } from '../../tasks/taskUpdates.ts'
import { createKnownUpdates } from './knownUpdates.ts'
import { completed, type NewsMessage, readMessage, writeMessage } from './newsMessages.ts'

/** What the other gateways on this database tell of the tasks that they carry. */
export type Elsewhere = {
  /** The last update of a task under way elsewhere, as far as it was heard here. */
  latest(taskId: Bytes32): TaskUpdate | undefined
  /** Calls the listener with what comes, in order; one listener at most. */
  listen(listener: ElsewhereListener): void
  /** Whether news are heard at the moment. */
  isOpen(): boolean
  close(): Promise<void>
}

export type ElsewhereListener = {
  /** Never a final one. */
  update(update: TaskUpdate): void
  /**
   * It is in the store by now: the end of the task, or a notification of it. `last` is the update that
   * came before, whose responses are in no store.
   */
  stored(taskId: Bytes32, last: TaskUpdate | undefined): void
  /** News may have been missed. */
  gap(): void
}

export type ElsewhereDeps = {
  readonly openChannel: (name: string, listener: ChannelListener) => Channel
  readonly updates: Pick<TaskUpdates, 'subscribeAll'>
  /** Of this process; no other has it. */
  readonly sender: string
  /** Bytes of updates that are kept for those who will ask; the longest not heard of go first. */
  readonly keepBytes?: number
}

/** As many processes are told apart; one that was silent for longest is forgotten. */
const mostSenders = 1_000

/**
 * Tells the other gateways the news of this one's tasks, and hears theirs. An update goes out as it
 * is; an end and a notification by the id of their task, since they are stored before they are told.
 */
export function createElsewhere(deps: ElsewhereDeps): Elsewhere {
  const { updates, sender, keepBytes = 32 * 1024 * 1024 } = deps
  const known = createKnownUpdates(keepBytes)
  const heard = new Map<string, number>()
  let listener: ElsewhereListener | undefined
  let sent = 0

  const send = (news: NewsMessage['news']) => {
    sent += 1
    const text = writeMessage({ sender, number: sent, news })
    if (text !== undefined) channel.send(text)
  }

  /** What was heard before: a batch is sent again when it is not clear whether it was sent. */
  const isNew = ({ sender: from, number }: NewsMessage): boolean => {
    const last = heard.get(from) ?? 0
    heard.delete(from)
    heard.set(from, Math.max(last, number))
    if (heard.size > mostSenders) heard.delete(heard.keys().next().value as string)
    return number > last
  }

  const hear = ({ news }: NewsMessage, bytes: number) => {
    if (news.kind === 'stored') {
      const last = known.get(news.taskId)
      known.drop(news.taskId)
      return listener?.stored(news.taskId as Bytes32, last)
    }
    const id = news.update.task_id
    const update = completed(news, known.get(id))
    if (update === undefined) return
    known.set(id, update, news.of === undefined ? bytes : bytes + known.bytesOf(id))
    listener?.update(update)
  }

  const channel = deps.openChannel('updates', {
    message(text) {
      const message = readMessage(text)
      if (message === undefined || message.sender === sender) return
      if (isNew(message)) hear(message, Buffer.byteLength(text))
    },
    gap: () => listener?.gap(),
  })

  const unsubscribe = updates.subscribeAll((news) => {
    if (news.kind === 'notification')
      send({ kind: 'stored', taskId: news.notification.task_id as Bytes32 })
    else if (news.update.event === 'success' || news.update.event === 'failure')
      send({ kind: 'stored', taskId: news.update.task_id as Bytes32 })
    else send({ kind: 'update', update: news.update })
  })

  return {
    latest: (taskId) => known.get(taskId),
    listen(given) {
      listener = given
    },
    isOpen: () => channel.isOpen(),
    async close() {
      unsubscribe()
      await channel.close()
    },
  }
}

import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { TaskUpdate } from 'polgate-protocol/taskUpdate.ts'
import type { Channel, ChannelListener } from '../../store/channel.ts'
import type { TaskUpdates } from '../../tasks/taskUpdates.ts'
import { createKnownUpdates } from './knownUpdates.ts'
import { completed, type PeerMessage, readMessage, writeMessage } from './peerMessages.ts'

/** Updates from other gateways on this database, for the tasks that they execute. */
export type PeerUpdates = {
  /** The last received update of a task in flight on another gateway. */
  latest(taskId: Bytes32): TaskUpdate | undefined
  /** Calls the listener with updates, in order; supports one listener. */
  listen(listener: PeerUpdateListener): void
  /** Whether the channel is connected. */
  isOpen(): boolean
  close(): Promise<void>
}

export type PeerUpdateListener = {
  /** Not called for final updates. */
  update(update: TaskUpdate): void
  /**
   * The end of a task, or a notification of it, is in the store. `last` is the update before it,
   * whose responses may not be stored.
   */
  stored(taskId: Bytes32, last: TaskUpdate | undefined): void
  /** Updates may have been missed. */
  gap(): void
}

export type ElsewhereDeps = {
  readonly openChannel: (name: string, listener: ChannelListener) => Channel
  readonly updates: Pick<TaskUpdates, 'subscribeAll'>
  /** Unique to this process. */
  readonly sender: string
  /**
   * Bytes of updates cached for later subscribers; the least recently updated tasks are evicted
   * first.
   */
  readonly keepBytes?: number
}

/** Maximum number of known processes; the one that was silent longest is evicted. */
const maxSenders = 1_000

/**
 * Sends the updates of this gateway's tasks to the other gateways, and receives theirs. Updates are
 * sent in full; ends and notifications only with the task id, because they are in the store by
 * then.
 */
export function createPeerUpdates(deps: ElsewhereDeps): PeerUpdates {
  const { updates, sender, keepBytes = 32 * 1024 * 1024 } = deps
  const known = createKnownUpdates(keepBytes)
  const heard = new Map<string, number>()
  let listener: PeerUpdateListener | undefined
  let sent = 0

  const send = (news: PeerMessage['news']) => {
    sent += 1
    const text = writeMessage({ sender, number: sent, news })
    if (text !== undefined) channel.send(text)
  }

  /** Filters duplicates: a batch is sent again if it is unclear whether it was sent. */
  const isNew = ({ sender: from, number }: PeerMessage): boolean => {
    const last = heard.get(from) ?? 0
    heard.delete(from)
    heard.set(from, Math.max(last, number))
    if (heard.size > maxSenders) heard.delete(heard.keys().next().value as string)
    return number > last
  }

  const hear = ({ news }: PeerMessage, bytes: number) => {
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

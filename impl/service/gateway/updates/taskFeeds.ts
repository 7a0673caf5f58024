import type { Clock } from 'polgate-protocol/clock.ts'
import { monotonicClock } from 'polgate-protocol/clock.ts'
import { stringifyExact } from 'polgate-protocol/exactJson.ts'
import type { TaskFailureNotification } from 'polgate-protocol/notification.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { TaskUpdate } from 'polgate-protocol/taskUpdate.ts'
import type { TaskRecord } from '../../store/tasks.ts'
import type { TaskMessage, TaskUpdates } from '../../tasks/taskUpdates.ts'
import { deliverTo, type Follower, newFollower, type Receiver } from './follower.ts'
import type { PeerUpdates } from './peerUpdates.ts'
import { isFinal, storedUpdate } from './storedUpdate.ts'
import type { TaskSource } from './taskSource.ts'

/** A task that exists and belongs to the caller. */
export type Followed = {
  /** Sends the latest state immediately, and all later messages. */
  start(receiver: Receiver): void
  readonly stop: () => void
}

export type TaskFeeds = {
  /**
   * Undefined for an unknown task and for a task of another key, which callers cannot distinguish.
   */
  follow(taskId: Bytes32, keyId: string): Promise<Followed | undefined>
  /** Looks for ends of tasks that other processes execute, and removes old ones. */
  sweep(): Promise<void>
  size(): number
  close(): void
}

export type TaskFeedsDeps = {
  readonly updates: Pick<TaskUpdates, 'latest' | 'subscribe'>
  readonly tasks: TaskSource
  /** Updates from other gateways on the same database, if there can be any. */
  readonly elsewhere?: Pick<PeerUpdates, 'latest' | 'listen' | 'isOpen'> | undefined
  readonly clock: Clock
  readonly lingerMs: number
  readonly onInternalError: (error: unknown) => void
}

type Feed = {
  readonly id: Bytes32
  readonly followers: Set<Follower>
  readonly unsubscribe: () => void
  /** The key that created the task, once known. */
  owner: string | undefined
  /** The progress sent so far, which never decreases, even after a takeover. */
  progress: number
  /** An end was reported, and the store is queried for it. */
  ending: boolean
  /** Serializes the queries for its end. */
  turn: Promise<void>
  /** The query in progress. */
  reading: Promise<TaskRecord | undefined> | undefined
  endedAt: number | undefined
  /** Next query for late notifications of a task that another process executed. */
  lookAt: number
  lookAfterMs: number
}

/** How long this process has to publish an end itself before the store is used, milliseconds. */
const ownWordMs = 2_000
/** Interval of queries for ends while the peer channel is connected. */
const safetyNetMs = 5_000
/** Tasks per query. */
const atOnce = 500

/**
 * Messages about single tasks, from this process and from the store, for any number of followers.
 */
export function createTaskFeeds(deps: TaskFeedsDeps): TaskFeeds {
  const { updates, tasks, elsewhere, clock, lingerMs } = deps
  const feeds = new Map<string, Feed>()
  const texts = new WeakMap<TaskUpdate | TaskFailureNotification, string>()
  let sweeping = false
  let lookedAt = Number.NEGATIVE_INFINITY

  const textOf = (result: TaskUpdate | TaskFailureNotification): string => {
    const text = texts.get(result) ?? stringifyExact(result)
    texts.set(result, text)
    return text
  }

  const hand = (follower: Follower, news: TaskMessage) => deliverTo(follower, news, textOf)

  const publish = (feed: Feed, news: TaskMessage) => {
    const told = news.kind === 'update' ? onward(feed, news.update) : news
    for (const follower of [...feed.followers]) hand(follower, told)
  }

  const onward = (feed: Feed, update: TaskUpdate): TaskMessage => {
    if (isFinal(update)) feed.endedAt ??= monotonicClock()
    feed.progress = Math.max(feed.progress, update.data.progress)
    if (feed.progress === update.data.progress) return { kind: 'update', update }
    return {
      kind: 'update',
      update: { ...update, data: { ...update.data, progress: feed.progress } },
    }
  }

  const feedOf = (taskId: Bytes32): Feed => {
    const id = taskId.toLowerCase() as Bytes32
    const known = feeds.get(id)
    if (known !== undefined) return known
    const feed: Feed = {
      id,
      followers: new Set(),
      unsubscribe: updates.subscribe(id, (news) => publish(feed, news)),
      owner: undefined,
      progress: 0,
      ending: false,
      turn: Promise.resolve(),
      reading: undefined,
      endedAt: undefined,
      lookAt: Number.POSITIVE_INFINITY,
      lookAfterMs: 1_000,
    }
    feeds.set(id, feed)
    return feed
  }

  const drop = (feed: Feed) => {
    feed.unsubscribe()
    feeds.delete(feed.id)
  }

  const leave = (feed: Feed, follower: Follower) => {
    if (feed.followers.delete(follower) && feed.followers.size === 0) drop(feed)
  }

  /**
   * One query for all concurrent subscribers. A subscriber after the end of the task starts a new
   * one: the result may be from before the end, which is not published again.
   */
  const recordOf = (feed: Feed): Promise<TaskRecord | undefined> => {
    if (feed.endedAt !== undefined) return tasks.get(feed.id)
    feed.reading ??= tasks.get(feed.id).finally(() => {
      feed.reading = undefined
    })
    return feed.reading
  }

  /** A task in flight here that is known to belong to this key: no query needed. */
  const isKnown = (feed: Feed, keyId: string): boolean =>
    feed.owner === keyId && feed.endedAt === undefined && updates.latest(feed.id) !== undefined

  const endedNews = async (record: TaskRecord): Promise<TaskMessage[]> =>
    record.finishedAt === null
      ? []
      : (await tasks.notifications(record.id)).map((notification) => ({
          kind: 'notification',
          notification,
        }))

  /** While two gateways publish updates, as during a takeover, the one with more progress. */
  const latestOf = ({ id }: Feed): TaskUpdate | undefined => {
    const [here, there] = [updates.latest(id), elsewhere?.latest(id)]
    if (here === undefined || there === undefined) return here ?? there
    return there.data.progress > here.data.progress ? there : here
  }

  /** The latest state first, from this process, the store or queued messages. */
  const begin = (
    feed: Feed,
    follower: Follower,
    record?: TaskRecord,
    stored: TaskMessage[] = [],
  ) => {
    const waiting = follower.waiting.splice(0)
    const end = waiting.find((news) => news.kind === 'update' && isFinal(news.update))
    const under = record?.finishedAt ? undefined : latestOf(feed)
    const update = under ?? (record && storedUpdate(record))
    const latest: TaskMessage | undefined = end ?? (update && onward(feed, update))
    if (latest !== undefined) hand(follower, latest)
    for (const news of [...stored, ...waiting])
      if (news.kind === 'notification') hand(follower, news)
  }

  /**
   * Ends a task according to the store; if this process executes the task, it has had time to
   * publish the end itself.
   *
   * @param told given if another gateway reported the end, with its last update
   */
  const endByStore = async (feed: Feed, told?: { last: TaskUpdate | undefined }): Promise<void> => {
    if (feed.endedAt !== undefined) return await tellStored(feed)
    const record = await tasks.get(feed.id)
    const at = record?.finishedAt?.getTime()
    if (record === undefined || at === undefined || feed.endedAt !== undefined) return
    if (told === undefined && updates.latest(feed.id) !== undefined && clock() - at < ownWordMs)
      return
    publish(feed, { kind: 'update', update: storedUpdate(record, told?.last) })
    await tellStored(feed)
  }

  /** Serialized, so that a notification does not precede the end that it belongs to. */
  const inTurn = (feed: Feed, work: () => Promise<void>): Promise<void> => {
    const done = feed.turn.then(work)
    feed.turn = done.catch(() => {})
    return done
  }

  /** The posting on chain can still fail: queried at increasing intervals. */
  const tellStored = async (feed: Feed): Promise<void> => {
    feed.lookAt = monotonicClock() + feed.lookAfterMs
    feed.lookAfterMs *= 2
    for (const notification of await tasks.notifications(feed.id))
      publish(feed, { kind: 'notification', notification })
  }

  /**
   * Less often while the peer channel is connected; immediately if updates may have been missed.
   */
  const isTimeToLook = (): boolean =>
    elsewhere?.isOpen() !== true || monotonicClock() - lookedAt >= safetyNetMs

  const lookAtStore = async (all: readonly Feed[]): Promise<void> => {
    const live = all.filter(({ endedAt }) => endedAt === undefined)
    for (let from = 0; from < live.length; from += atOnce) {
      const ids = live.slice(from, from + atOnce).map(({ id }) => id)
      for (const id of await tasks.ended(ids)) {
        const feed = feeds.get(id)
        if (feed?.endedAt === undefined && feed !== undefined)
          await inTurn(feed, () => endByStore(feed))
      }
    }
    for (const feed of all)
      if (feed.lookAt <= monotonicClock()) await inTurn(feed, () => tellStored(feed))
  }

  const release = (feed: Feed): void => {
    for (const follower of [...feed.followers]) {
      if (follower.receiver === undefined) continue
      leave(feed, follower)
      follower.receiver.ended()
    }
  }

  const isOver = ({ endedAt }: Feed) =>
    endedAt !== undefined && monotonicClock() - endedAt >= lingerMs

  elsewhere?.listen({
    update(update) {
      const feed = feeds.get(update.task_id.toLowerCase())
      if (feed === undefined || feed.ending || feed.endedAt !== undefined) return
      publish(feed, { kind: 'update', update })
    },
    stored(taskId, last) {
      const feed = feeds.get(taskId.toLowerCase())
      if (feed === undefined) return
      feed.ending = true
      inTurn(feed, () => endByStore(feed, { last })).catch(deps.onInternalError)
    },
    gap() {
      lookedAt = Number.NEGATIVE_INFINITY
    },
  })

  return {
    async follow(taskId, keyId) {
      const feed = feedOf(taskId)
      const follower = newFollower()
      feed.followers.add(follower)
      const stop = () => leave(feed, follower)
      try {
        const known = isKnown(feed, keyId)
        const record = known ? undefined : await recordOf(feed)
        if (!known && record?.apiKeyId !== keyId) {
          stop()
          return undefined
        }
        feed.owner = keyId
        const stored = record && (await endedNews(record))
        return {
          start(receiver) {
            follower.receiver = receiver
            begin(feed, follower, record, stored)
          },
          stop,
        }
      } catch (error) {
        stop()
        throw error
      }
    },
    async sweep() {
      if (sweeping) return
      sweeping = true
      try {
        for (const feed of [...feeds.values()]) if (isOver(feed)) release(feed)
        if (!isTimeToLook()) return
        lookedAt = monotonicClock()
        await lookAtStore([...feeds.values()])
      } finally {
        sweeping = false
      }
    },
    size: () => feeds.size,
    close() {
      for (const feed of [...feeds.values()]) drop(feed)
    },
  }
}

import { checkNumber } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import { AbortError } from '../errors/abortError.ts'
import { InvalidParamsError } from '../errors/accessErrors.ts'
import { SubscriptionFailedError } from '../errors/transportErrors.ts'
import type {
  NotificationMessage,
  TaskFailureNotification,
  TaskUpdate,
  UpdateMessage,
} from '../generated/rpcTypes.ts'
import type { Hex } from '../hex.ts'
import { sleep } from '../transport/sleep.ts'
import { createEventQueue } from './eventQueue.ts'
import { createNewerUpdates, isFinal } from './newerUpdates.ts'
import { reconnectMs } from './reconnectMs.ts'
import { openTaskSession, type SessionEnd } from './taskSession.ts'

/** An update of a task (section 6.1), or the notification of its failure (section 6.2). */
export type TaskEvent =
  | ({ readonly type: 'update' } & TaskUpdate)
  | ({ readonly type: 'notification' } & TaskFailureNotification)

export type WatchTaskOptions = {
  /** Ends the iteration by throwing AbortError. */
  readonly signal?: AbortSignal | undefined
  /**
   * How long notifications are awaited after the final update, milliseconds. Default: after a
   * failure until its notification, at most 2,000; after a success 0. The failed posting of a
   * success on chain is notified up to 60 s later.
   */
  readonly lingerMs?: number | undefined
  /** Consecutive failed connections after which it gives up; default 10. */
  readonly attempts?: number | undefined
  /** Time for one connection with its subscription, milliseconds; default 10,000. */
  readonly connectTimeoutMs?: number | undefined
  /** Silence after which a connection is made again, milliseconds; default 30,000. */
  readonly idleTimeoutMs?: number | undefined
}

const failureLingerMs = 2_000
/** Updates that may wait for a slow consumer. */
const mostWaiting = 256

/** States are cumulative: of many that wait, the oldest that are not final can go. */
function thin(waiting: TaskEvent[]): void {
  if (waiting.length <= mostWaiting) return
  const at = waiting.findIndex((event) => event.type === 'update' && !isFinal(event))
  if (at >= 0) waiting.splice(at, 1)
}

/**
 * The updates of a task, over the WebSocket (section 6.1), and its failure notification. The first
 * is the latest state, also for a task that has ended. Reconnects after a lost connection, with
 * increasing delays, and skips states that were seen: nothing is repeated, and no state is lost. Ends
 * after the final update; `break`, or `return()`, closes the connection.
 *
 * @throws (iterating) TaskNotFoundError, UnauthorizedError, ForbiddenError, SubscriptionFailedError,
 * AbortError
 * @example for await (const event of watchTask(client, { taskId })) if (event.type === 'update') show(event.data)
 */
export function watchTask(
  client: BaseClient,
  { taskId }: { readonly taskId: Hex },
  options: WatchTaskOptions = {},
): AsyncIterableIterator<TaskEvent> {
  const { signal, lingerMs } = options
  if (!/^0x[0-9a-fA-F]{64}$/.test(String(taskId)))
    throw new InvalidParamsError({
      member: 'taskId',
      details: 'it must be 32 bytes of hex with 0x',
    })
  const most = 2 ** 31 - 1
  const attempts = checkNumber('attempts', options.attempts ?? 10, 1, most)
  const times = {
    connectTimeoutMs: checkNumber('connectTimeoutMs', options.connectTimeoutMs ?? 10_000, 1, most),
    idleTimeoutMs: checkNumber('idleTimeoutMs', options.idleTimeoutMs ?? 30_000, 1, most),
  }
  if (lingerMs !== undefined) checkNumber('lingerMs', lingerMs, 0, most)
  const stopped = new AbortController()
  const isNewer = createNewerUpdates()
  const told = new Set<string>()
  let connections = 0
  let lingering: ReturnType<typeof setTimeout> | undefined

  const abort = () => queue.fail(new AbortError(signal!))
  const stop = () => {
    clearTimeout(lingering)
    signal?.removeEventListener('abort', abort)
    stopped.abort()
  }

  const linger = (failed: boolean) => {
    const ms = lingerMs ?? (failed && told.size === 0 ? failureLingerMs : 0)
    if (ms === 0) queue.end()
    else lingering = setTimeout(() => queue.end(), ms)
  }

  const receive = (message: UpdateMessage | NotificationMessage) => {
    if (message.type === 'update') {
      if (!isNewer(message.result, connections > 1)) return
      queue.push({ type: 'update', ...message.result })
      if (isFinal(message.result)) linger(message.result.event === 'failure')
      return
    }
    if (told.has(message.result.notification_id)) return
    told.add(message.result.notification_id)
    queue.push({ type: 'notification', ...message.result })
    if (lingering !== undefined && lingerMs === undefined) queue.end()
  }

  const session = (key: string): Promise<SessionEnd | undefined> =>
    new Promise((resolve) => {
      const { signal: stopping } = stopped
      const leave = () => {
        open.close()
        resolve(undefined)
      }
      const end = (why: SessionEnd) => {
        stopping.removeEventListener('abort', leave)
        resolve(why)
      }
      connections += 1
      const open = openTaskSession({ client, taskId, key, ...times, message: receive, end })
      stopping.addEventListener('abort', leave, { once: true })
    })

  const follow = async (): Promise<void> => {
    let failures = 0
    while (!stopped.signal.aborted) {
      const key = await client.getKey()
      if (stopped.signal.aborted) return
      const end = await session(key)
      if (end === undefined) return
      if (end.fatal) throw end.cause
      failures = end.worked ? 0 : failures + 1
      if (failures >= attempts) throw givenUp(failures, end.cause)
      await sleep(reconnectMs(failures, end.retryAfterMs), stopped.signal)
    }
  }

  const givenUp = (failures: number, cause: unknown) =>
    new SubscriptionFailedError({
      attempts: failures,
      cause,
      metaMessages: [`Task: ${taskId}`],
      details: cause instanceof Error ? cause.message.split('\n')[0] : undefined,
    })

  const start = () => {
    if (signal?.aborted) return abort()
    signal?.addEventListener('abort', abort, { once: true })
    follow().catch((error: unknown) => queue.fail(error))
  }

  const queue = createEventQueue<TaskEvent>({ start, stop, thin })
  return queue.iterator
}

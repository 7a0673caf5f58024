import { createKeyedCounter } from 'polgate-lib/async/keyedCounter.ts'
import { createKeyedSemaphore } from 'polgate-lib/async/keyedSemaphore.ts'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { type EventLoopLoad, mainEventLoopLoad } from '../scheduling/eventLoopLoad.ts'

export type TaskAdmissionLimits = {
  /** Admitted and not ended, in total and per key. */
  readonly tasks: number
  readonly tasksPerKey: number
  /** What each key may have in any case, up to twice `tasks` in total. Default 0. */
  readonly tasksReserved?: number
  /**
   * How many of these execute concurrently; the others wait as `pending`, with their timeout
   * running.
   */
  readonly carried: number
  readonly carriedPerKey: number
}

/**
 * No key alone can take every slot, and waiting tasks are bounded: a waiting task costs some
 * kilobytes, a running one has oracle runs and evaluations in the queues of the operators.
 */
export const taskAdmissionLimits: TaskAdmissionLimits = {
  tasks: 1_000,
  tasksPerKey: 500,
  tasksReserved: 8,
  carried: 256,
  carriedPerKey: 128,
}

/** The slot of one task in this process. */
export type TaskSlot = {
  /** Resolves when the task may run; rejects with the signal's reason. */
  turn(signal: AbortSignal): Promise<void>
  leave(): void
}

export type TaskAdmissionLimit = {
  /** @throws ServiceError -32005 (HTTP 429) when there are too many */
  enter(keyId: string): TaskSlot
  /** How many more tasks there may be, and the keys that have reached their maximum. */
  room(): { readonly tasks: number; readonly fullKeys: readonly string[] }
  /** Tasks that hold a slot. */
  readonly size: number
  readonly carried: number
}

/** Number of tasks that run concurrently regardless of the event loop's load. */
const unpaced = 8

export function createTaskAdmissionLimit(
  limits: TaskAdmissionLimits = taskAdmissionLimits,
  pace: EventLoopLoad = mainEventLoopLoad,
): TaskAdmissionLimit {
  const { tasks, tasksPerKey, tasksReserved = 0 } = limits
  const slots = createKeyedSemaphore({
    total: limits.carried,
    perKey: limits.carriedPerKey,
    // Tasks that wait for I/O run concurrently; tasks that compute would only slow each other down.
    paced: { past: unpaced, pace },
  })
  const byKey = createKeyedCounter()
  let size = 0

  return {
    enter(keyId) {
      const ofKey = byKey.get(keyId)
      const full = size >= tasks && (ofKey >= tasksReserved || size >= 2 * tasks)
      if (full || ofKey >= tasksPerKey) throw tooMany('tasks')
      size += 1
      const remove = byKey.add(keyId)
      let inside = true
      let release = () => {}
      return {
        async turn(signal) {
          const given = await slots.take(keyId, signal)
          if (inside) release = given
          else given()
        },
        leave() {
          if (!inside) return
          inside = false
          size -= 1
          remove()
          release()
        },
      }
    },
    room: () => ({
      tasks: Math.max(0, limits.tasks - size),
      fullKeys: [...byKey.entries()]
        .filter(([, count]) => count >= limits.tasksPerKey)
        .map(([key]) => key),
    }),
    get size() {
      return size
    },
    get carried() {
      return slots.taken
    },
  }
}

/** -32005, HTTP 429 with `Retry-After`: the same call may succeed a moment later. */
export const tooMany = (what: string) =>
  new ServiceError(`Too many ${what} in progress; try again later`, {
    code: errorCode.rateLimited,
    clause: 'section 7.4',
    hint: 'Wait for some to end, or send fewer concurrently.',
    retryable: true,
    data: { retry_after_seconds: 1 },
  })

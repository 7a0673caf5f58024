import { createKeyedCounter } from 'polgate-lib/async/keyedCounter.ts'
import { createKeyedSemaphore } from 'polgate-lib/async/keyedSemaphore.ts'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { type LoopPace, mainLoopPace } from '../scheduling/loopPace.ts'

export type TaskLoadLimits = {
  /** Admitted and not ended, of all keys and of one. */
  readonly tasks: number
  readonly tasksPerKey: number
  /** Which a key may have however many others have, up to twice `tasks` in all. Default 0. */
  readonly tasksReserved?: number
  /** Of these, carried at the same time; the others wait as `pending`, their timeout running. */
  readonly carried: number
  readonly carriedPerKey: number
}

/**
 * No key alone can take every place, and what waits is bounded: a task that waits costs some
 * kilobytes, one that is carried has oracle runs and evaluations in the queues of the operators.
 */
export const taskLoadLimits: TaskLoadLimits = {
  tasks: 1_000,
  tasksPerKey: 500,
  tasksReserved: 8,
  carried: 256,
  carriedPerKey: 128,
}

/** The place of one task among those of this process. */
export type TaskPlace = {
  /** Resolves when it is this task's turn; rejects with the signal's reason. */
  turn(signal: AbortSignal): Promise<void>
  leave(): void
}

export type TaskLoad = {
  /** @throws ServiceError -32005 (HTTP 429) when there are too many */
  enter(keyId: string): TaskPlace
  /** How many more there may be, and the keys that have all they may. */
  room(): { readonly tasks: number; readonly fullKeys: readonly string[] }
  /** Tasks that have not left. */
  readonly size: number
  readonly carried: number
}

/** Tasks that are carried at once without regard to how busy the process is. */
const unpaced = 8

export function createTaskLoad(
  limits: TaskLoadLimits = taskLoadLimits,
  pace: LoopPace = mainLoopPace,
): TaskLoad {
  const { tasks, tasksPerKey, tasksReserved = 0 } = limits
  const slots = createKeyedSemaphore({
    total: limits.carried,
    perKey: limits.carriedPerKey,
    // Tasks that wait for somebody else go on together; those that compute would only delay each other.
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

/** -32005, HTTP 429 with `Retry-After`: the same call may pass a moment later. */
export const tooMany = (what: string) =>
  new ServiceError(`Too many ${what} are under way; try again later`, {
    code: errorCode.rateLimited,
    clause: 'section 7.4',
    hint: 'Wait for the end of some, or send fewer at once.',
    retryable: true,
    data: { retry_after_seconds: 1 },
  })

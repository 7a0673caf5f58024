import { createFairQueue } from 'polgate-lib/async/fairQueue.ts'

export type ComputeQueue = {
  /**
   * Runs synchronous work of some milliseconds when its turn comes.
   *
   * @throws whatever `work` throws
   */
  run<Value>(owner: string, work: () => Value): Promise<Value>
}

export type ComputeQueueOptions = {
  /** Resolves in a later turn of the event loop, once connections and messages had their turn. */
  readonly nextTurn: () => Promise<void>
  readonly now: () => number
  /** Milliseconds of work in one turn; work that has begun is not interrupted. */
  readonly budgetMs: number
  /** Turns without such work after each with it. A listener accepts one connection in a turn. */
  readonly freeTurns: number
}

/**
 * Computation on the main thread in small portions, owners in turn: however much of it waits, the
 * event loop keeps turning, and cheap requests are answered between the portions.
 */
export function createComputeQueue(options: ComputeQueueOptions): ComputeQueue {
  const { nextTurn, now, budgetMs, freeTurns } = options
  const queue = createFairQueue<() => void>({
    perOwner: Number.POSITIVE_INFINITY,
    inAll: Number.POSITIVE_INFINITY,
    onEvict: () => {},
  })
  let running = false

  async function runAll(): Promise<void> {
    running = true
    while (queue.size > 0) {
      for (let turn = 0; turn < freeTurns; turn++) await nextTurn()
      const begin = now()
      while (queue.size > 0 && now() - begin < budgetMs) {
        queue.shift()?.()
        // Work in several steps puts its next one in the queue now.
        await undefined
        await undefined
      }
    }
    running = false
  }

  return {
    run: (owner, work) =>
      new Promise((resolve, reject) => {
        queue.push(owner, () => {
          try {
            resolve(work())
          } catch (error) {
            reject(error)
          }
        })
        if (!running) void runAll()
      }),
  }
}

/** Of the main thread: there is one in a process. */
export const mainThread: ComputeQueue = createComputeQueue({
  nextTurn: () => new Promise((resolve) => setImmediate(resolve)),
  now: () => performance.now(),
  budgetMs: 4,
  freeTurns: 8,
})

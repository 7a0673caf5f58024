import { createFairQueue } from 'polgate-lib/async/fairQueue.ts'

export type ComputeQueue = {
  /**
   * Queues synchronous work of some milliseconds.
   *
   * @throws errors of `work`
   */
  run<Value>(owner: string, work: () => Value): Promise<Value>
}

export type ComputeQueueOptions = {
  /** Resolves in a later iteration of the event loop, after pending connections and messages. */
  readonly nextTurn: () => Promise<void>
  readonly now: () => number
  /** Milliseconds of work per iteration; started work is not interrupted. */
  readonly budgetMs: number
  /**
   * Iterations without work after each with work. A listener accepts one connection per iteration.
   */
  readonly freeTurns: number
}

/**
 * Runs computation on the main thread in small portions, with owners taking turns. However much is
 * queued, the event loop keeps running and cheap requests are answered between the portions.
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
        // Work of several steps queues its next step here.
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

/** The queue of the main thread, one per process. */
export const mainThread: ComputeQueue = createComputeQueue({
  nextTurn: () => new Promise((resolve) => setImmediate(resolve)),
  now: () => performance.now(),
  budgetMs: 4,
  freeTurns: 8,
})

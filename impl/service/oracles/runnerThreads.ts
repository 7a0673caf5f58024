import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import type { RunCode, RunOutcome, ThreadTask } from './threadTask.ts'

export type RunnerThreads = {
  /** Threads that are alive, working or not. */
  readonly size: number
  /** Threads alive without work; a run given while there is none starts a thread. */
  readonly idle: number
  /**
   * Give a task to a thread, best to one in which an instance of the same code waits. Aborting ends
   * the thread, and only it.
   * @throws AbortError, and what the thread died of
   */
  run(task: ThreadTask, options: { key: string; signal: AbortSignal }): Given
  /** Have this thread make an instance for the next run of its kind; it counts as busy meanwhile. */
  prepare(thread: number, code: RunCode): Promise<void>
  isIdle(thread: number): boolean
  close(): Promise<void>
}

/** A task that a thread has, or will have as soon as it has started. */
type Given = {
  outcome: Promise<RunOutcome>
  thread(): number | undefined
}

/** What the choice of a thread is told about a task. */
type Wish = {
  key: string
  thread?: number
  chosen(thread: number): void
}

/** How long a thread beyond the first is kept for the next run. */
const idleMs = 10_000
/** A thread that takes longer to make an instance is ended. */
const prepareWithinMs = 1_000

/**
 * The threads in which oracles run. Their starting, ending and reuse is piscina's; which thread has
 * an instance ready is known here. The caller gives no more tasks than `size` and its own bound of
 * threads allow, so that every task finds a thread and piscina's queue holds only those whose
 * thread still starts.
 */
export function createRunnerThreads(options: {
  /** Kept alive, and started at once. */
  min: number
  max: number
  /** JavaScript heap of one thread, MiB. */
  heapMiB: number
}): RunnerThreads {
  /** Key of the code of which an instance waits, by thread. */
  const ahead = new Map<number, string>()
  const busy = new Map<symbol, number | undefined>()
  const pool = new Piscina({
    filename: fileURLToPath(new URL('./runner.worker.mjs', import.meta.url)),
    name: 'run',
    minThreads: options.min,
    maxThreads: options.max,
    idleTimeout: idleMs,
    // A thread that sleeps on its port, not on a counter, gets round to closing the ports of runs.
    atomics: 'disabled',
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: options.heapMiB },
    recordTiming: false,
    loadBalancer: (task, threads) => {
      const wish = (task as unknown as Record<symbol, Wish>)[Piscina.queueOptionsSymbol]
      const free = threads.filter(({ currentUsage, destroyed }) => currentUsage === 0 && !destroyed)
      const chosen =
        free.find(({ id }) => id === wish?.thread) ??
        free.find(({ id }) => ahead.get(id) === wish?.key) ??
        free.find(({ id }) => !ahead.has(id)) ??
        free[0]
      if (chosen) wish?.chosen(chosen.id)
      return chosen ?? null
    },
  })
  // A thread that dies while it is idle is replaced; during a run the run reports it.
  pool.on('error', () => undefined)
  pool.on('workerDestroy', ({ id }: { id: number }) => ahead.delete(id))

  return {
    get size() {
      return pool.threads.length
    },
    get idle() {
      return Math.max(0, pool.threads.length - busy.size)
    },
    isIdle: (thread) =>
      pool.threads.some(({ threadId }) => threadId === thread) &&
      ![...busy.values()].includes(thread),
    run(task, { key, signal }) {
      let chosenThread: number | undefined
      const chosen = (thread: number) => {
        chosenThread = thread
        ahead.delete(thread)
      }
      const outcome = give<RunOutcome>({ ...task }, { key, chosen }, 'run', signal, [task.port])
      return { outcome, thread: () => chosenThread }
    },
    async prepare(thread, code) {
      const { key } = code
      let chosenThread = thread
      const chosen = (each: number) => {
        chosenThread = each
        ahead.delete(each)
      }
      const overdue = AbortSignal.timeout(prepareWithinMs)
      const done = await give<boolean>({ code }, { key, thread, chosen }, 'prepare', overdue, [])
      if (done) ahead.set(chosenThread, key)
    },
    async close() {
      const ended = pool.threads.map((thread) => once(thread, 'exit'))
      await pool.destroy()
      await Promise.all(ended)
    },
  }

  async function give<Answer>(
    task: object,
    wish: Wish,
    name: string,
    signal: AbortSignal,
    transferList: ThreadTask['port'][],
  ): Promise<Answer> {
    const self = Symbol(name)
    const chosen = (thread: number) => {
      busy.set(self, thread)
      wish.chosen(thread)
    }
    busy.set(self, undefined)
    try {
      const wished = { ...task, [Piscina.queueOptionsSymbol]: { ...wish, chosen } }
      return await pool.run(wished, { name, signal, transferList })
    } finally {
      busy.delete(self)
    }
  }
}

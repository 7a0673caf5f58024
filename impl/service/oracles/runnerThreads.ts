import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import type { RunCode, RunOutcome, ThreadTask } from './threadTask.ts'

export type RunnerThreads = {
  /** Running threads, busy or idle. */
  readonly size: number
  /** Idle threads; a run given without one starts a thread. */
  readonly idle: number
  /**
   * Assigns a task to a thread, preferably one with a prepared instance of the same code. Aborting
   * ends that thread only.
   * @throws AbortError, and the error that ended the thread
   */
  run(task: ThreadTask, options: { key: string; signal: AbortSignal }): Given
  /**
   * Prepares an instance in this thread for the next run of the code; meanwhile the thread is busy.
   */
  prepare(thread: number, code: RunCode): Promise<void>
  isIdle(thread: number): boolean
  close(): Promise<void>
}

/** A task with its thread, which may still be starting. */
type Given = {
  outcome: Promise<RunOutcome>
  thread(): number | undefined
}

/** Scheduling information of a task. */
type Scheduling = {
  key: string
  thread?: number
  chosen(thread: number): void
}

/** How long a thread beyond the minimum stays idle before it ends. */
const idleMs = 10_000
/** A thread that takes longer to prepare an instance is ended. */
const prepareWithinMs = 1_000

const requireOfModules = 'experimental-require-module'
/**
 * Piscina would load the script with `require`, and Node 20 aborts the process when a thread ends
 * while it does; so it uses `import`. A later Node without the option has no such bug either.
 */
const withoutRequire = process.allowedNodeEnvironmentFlags.has(`--${requireOfModules}`)
  ? [`--no-${requireOfModules}`]
  : []

/**
 * The threads of oracles. Piscina starts, ends and reuses them; this module tracks which thread has
 * an instance ready. The caller gives no more tasks than its limit of threads, so that every task
 * finds a thread and piscina's queue holds only tasks whose thread is starting.
 */
export function createRunnerThreads(options: {
  /** Started immediately and kept alive. */
  min: number
  max: number
  /** JavaScript heap of one thread, MiB. */
  heapMiB: number
}): RunnerThreads {
  /** Key of the code with a prepared instance, by thread. */
  const ahead = new Map<number, string>()
  const busy = new Map<symbol, number | undefined>()
  const pool = new Piscina({
    filename: fileURLToPath(new URL('./runner.worker.mjs', import.meta.url)),
    name: 'run',
    minThreads: options.min,
    maxThreads: options.max,
    idleTimeout: idleMs,
    // A thread that sleeps on its port, not on a counter, can process the closing of the ports of
    // runs.
    atomics: 'disabled',
    env: {},
    argv: [],
    execArgv: withoutRequire,
    resourceLimits: { maxOldGenerationSizeMb: options.heapMiB },
    recordTiming: false,
    loadBalancer: (task, threads) => {
      const scheduling = (task as unknown as Record<symbol, Scheduling>)[Piscina.queueOptionsSymbol]
      const free = threads.filter(({ currentUsage, destroyed }) => currentUsage === 0 && !destroyed)
      const chosen =
        free.find(({ id }) => id === scheduling?.thread) ??
        free.find(({ id }) => ahead.get(id) === scheduling?.key) ??
        free.find(({ id }) => !ahead.has(id)) ??
        free[0]
      if (chosen) scheduling?.chosen(chosen.id)
      return chosen ?? null
    },
  })
  // A thread that dies while idle is replaced; during a run the run reports it.
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
      const outcome = submit<RunOutcome>({ ...task }, { key, chosen }, 'run', signal, [task.port])
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
      const done = await submit<boolean>({ code }, { key, thread, chosen }, 'prepare', overdue, [])
      if (done) ahead.set(chosenThread, key)
    },
    async close() {
      const ended = pool.threads.map((thread) => once(thread, 'exit'))
      await pool.destroy()
      await Promise.all(ended)
    },
  }

  async function submit<Answer>(
    task: object,
    scheduling: Scheduling,
    name: string,
    signal: AbortSignal,
    transferList: ThreadTask['port'][],
  ): Promise<Answer> {
    const self = Symbol(name)
    const chosen = (thread: number) => {
      busy.set(self, thread)
      scheduling.chosen(thread)
    }
    busy.set(self, undefined)
    try {
      const scheduledTask = { ...task, [Piscina.queueOptionsSymbol]: { ...scheduling, chosen } }
      return await pool.run(scheduledTask, { name, signal, transferList })
    } finally {
      busy.delete(self)
    }
  }
}

import { setMaxListeners } from 'node:events'
import { createFairQueue } from 'polgate-lib/async/fairQueue.ts'
import { OracleError } from './oracleError.ts'
import { createRunnerThreads } from './runnerThreads.ts'
import { aborted, type RunJob, runOnThread } from './runOnThread.ts'
import { createRunShares, type RunShare } from './runShares.ts'
import type { RunMessage, RunOutcome } from './threadTask.ts'

export type RunnerPool = {
  /** @throws OracleError `wall-clock`, `aborted`, `queue`, `memory` (of the thread) */
  run(job: RunJob): Promise<RunOutcome>
  /** Running threads, busy or idle. */
  size(): number
  /** Ends all threads; runs in progress reject as aborted. */
  close(): Promise<void>
}

const prepareAfterMs = 15

/** A queued run. */
type Waiting = {
  key: string
  start(share: RunShare): void
  cancel(error: OracleError): void
}

/**
 * Schedules oracle runs on threads: one run at a time per thread, and stopping a run ends its
 * thread. Which run starts is decided here (runShares.ts), because a thread pool knows neither
 * components nor waiting runs; a thread pool manages the threads themselves (runnerThreads.ts).
 * Idle threads do not keep the process alive.
 */
export function createRunnerPool(options: {
  /** Number of runs that compute at the same time. */
  maxWorkers: number
  /** The same for one component. Default: no separate limit. */
  maxPerKey?: number | undefined
  /** Number of threads, including those that wait for a slow server. Default: `maxWorkers`. */
  maxThreads?: number | undefined
  maxQueued: number
  /** Number of threads started ahead of the first run and never stopped when idle. */
  warm: number
  /** JavaScript heap of one thread, MiB. */
  heapMiB: number
  /** Whether an idle thread creates an instance for the next run of the same code. */
  prepareAhead: boolean
}): RunnerPool {
  const tooMany = () =>
    new OracleError('queue', `more than ${options.maxQueued} oracle runs are waiting`)
  const waiting = createFairQueue<Waiting>({
    perOwner: options.maxQueued,
    inAll: options.maxQueued,
    onEvict: (each) => each.cancel(tooMany()),
  })
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  const { maxWorkers, maxPerKey = maxWorkers } = options
  const maxThreads = Math.max(maxWorkers, options.maxThreads ?? maxWorkers)
  const shares = createRunShares({
    computing: maxWorkers,
    computingPerKey: maxPerKey,
    // However many runs of one component wait, there are threads for others.
    runsPerKey: maxThreads > maxWorkers ? maxThreads - maxWorkers : maxThreads,
  })
  const threads = createRunnerThreads({
    min: Math.min(options.warm, maxWorkers),
    max: maxThreads,
    heapMiB: options.heapMiB,
  })

  return {
    async run(job) {
      const share = await admitted(job)
      const setAsleep = (asleep: boolean) => {
        share.setAsleep(asleep)
        if (asleep) serveWaiting()
      }
      let ranOn: number | undefined
      const ended = (thread: number | undefined) => {
        ranOn = thread
      }
      try {
        const outcome = await runOnThread(threads, { ...job, setAsleep, ended }, closing.signal)
        if (options.prepareAhead && ranOn !== undefined) prepareSoon(ranOn, job.message)
        return outcome
      } finally {
        share.end()
        serveWaiting()
      }
    },
    size: () => threads.size,
    async close() {
      for (const each of waiting.drain()) each.cancel(aborted('the oracle host is closed'))
      // Threads first, so that `close` waits for the end of all of them.
      const ended = threads.close()
      closing.abort()
      await ended
    },
  }

  async function admitted({ message: { key }, owner = key, signal }: RunJob): Promise<RunShare> {
    if (closing.signal.aborted) throw aborted('the oracle host is closed')
    if (signal?.aborted) throw aborted('the run was cancelled before it started')
    if (mayBegin(key)) return shares.begin(key)
    return await new Promise<RunShare>((resolve, reject) => {
      const onAbort = () => {
        waiting.remove(owner, entry)
        entry.cancel(aborted('the run was cancelled before it started'))
      }
      const entry: Waiting = {
        key,
        start: (share) => {
          signal?.removeEventListener('abort', onAbort)
          resolve(share)
        },
        cancel: (error) => {
          signal?.removeEventListener('abort', onAbort)
          reject(error)
        },
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      if (!waiting.push(owner, entry)) entry.cancel(tooMany())
    })
  }

  function mayBegin(key: string): boolean {
    return shares.mayBegin(key) && !noThread()
  }

  /** Threads of waiting oracles are replaced, up to a limit. */
  function noThread(): boolean {
    const most = Math.min(maxThreads, maxWorkers + shares.asleep)
    return threads.idle === 0 && threads.size >= most
  }

  function serveWaiting(): void {
    if (closing.signal.aborted) return
    while (!shares.full && !noThread()) {
      const next = waiting.shift(({ key }) => mayBegin(key))
      if (next === undefined) return
      next.start(shares.begin(next.key))
    }
  }

  /**
   * Prepares an instance after a delay, when the burst of work of the task is over, if no run is
   * queued.
   */
  function prepareSoon(thread: number, { key, source, modules, brand, limits }: RunMessage): void {
    const soon = setTimeout(() => {
      if (closing.signal.aborted || waiting.size > 0 || !threads.isIdle(thread)) return
      const code = { key, source, modules, brand, limits }
      // On failure or timeout the instance is created when the run starts.
      void threads
        .prepare(thread, code)
        .catch(() => undefined)
        .finally(serveWaiting)
    }, prepareAfterMs)
    soon.unref()
  }
}

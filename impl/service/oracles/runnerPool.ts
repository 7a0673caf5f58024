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
  /** Threads that are alive, working or waiting. */
  size(): number
  /** End all threads; runs under way reject as aborted. */
  close(): Promise<void>
}

const prepareAfterMs = 15

/** A run that waits until it may begin. */
type Waiting = {
  key: string
  start(share: RunShare): void
  cancel(error: OracleError): void
}

/**
 * Admits oracle runs to threads: one run at a time in a thread, and one that had to be stopped ends
 * with its thread. Who may begin is decided here (runShares.ts), because a thread pool knows neither
 * components nor runs that sleep; the threads themselves are kept by one (runnerThreads.ts). Idle
 * threads do not keep the process alive.
 */
export function createRunnerPool(options: {
  /** Runs that compute at once. */
  maxWorkers: number
  /** Of these, of one component. Default: all. */
  maxPerKey?: number | undefined
  /** Threads, with those whose oracle waits for a slow host. Default: no more than compute. */
  maxThreads?: number | undefined
  maxQueued: number
  /** Threads started ahead of the first run, and kept. */
  warm: number
  /** JavaScript heap of one thread, MiB. */
  heapMiB: number
  /** Whether a thread that is idle after a run makes an instance for the next of its kind. */
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
    // However many runs of one component sleep, others find threads to compute on.
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
      // Threads first, so that the ends of all of them are waited for.
      const ended = threads.close()
      closing.abort()
      await ended
    },
  }

  async function admitted({ message: { key }, owner = key, signal }: RunJob): Promise<RunShare> {
    if (closing.signal.aborted) throw aborted('the oracle host is closed')
    if (signal?.aborted) throw aborted('the run was given up before it began')
    if (mayBegin(key)) return shares.begin(key)
    return await new Promise<RunShare>((resolve, reject) => {
      const giveUp = () => {
        waiting.remove(owner, entry)
        entry.cancel(aborted('the run was given up before it began'))
      }
      const entry: Waiting = {
        key,
        start: (share) => {
          signal?.removeEventListener('abort', giveUp)
          resolve(share)
        },
        cancel: (error) => {
          signal?.removeEventListener('abort', giveUp)
          reject(error)
        },
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      if (!waiting.push(owner, entry)) entry.cancel(tooMany())
    })
  }

  function mayBegin(key: string): boolean {
    return shares.mayBegin(key) && !noThread()
  }

  /** Threads that sleep with their oracle are replaced, up to a bound; others are waited for. */
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

  /** Once the task that a run belongs to is past its busiest moment, and nobody waits for a thread. */
  function prepareSoon(thread: number, { key, source, modules, brand, limits }: RunMessage): void {
    const soon = setTimeout(() => {
      if (closing.signal.aborted || waiting.size > 0 || !threads.isIdle(thread)) return
      const code = { key, source, modules, brand, limits }
      // One that could not be made, or not in time: it is made when the run begins.
      void threads
        .prepare(thread, code)
        .catch(() => undefined)
        .finally(serveWaiting)
    }, prepareAfterMs)
    soon.unref()
  }
}

import { type TransferListItem, Worker, type WorkerOptions } from 'node:worker_threads'
import { createFairQueue } from 'polgate-lib/async/fairQueue.ts'
import { JobThreadError, type JobThreadFailure } from './jobThreadError.ts'
import { startWorkTimer } from './workTimer.ts'

export type JobThreadsOptions<Job> = {
  /** Posts a `JobThreadReady` once, then one message for each job. */
  readonly script: URL
  readonly workerData?: WorkerOptions['workerData']
  /** JavaScript heap of a thread, MiB. */
  readonly heapMiB: number
  readonly threads: number
  /** CPU time limit of one job, milliseconds. */
  readonly workMs: number
  /** Wall-clock limit of one job, milliseconds. Default: ten times `workMs`. */
  readonly wallMs?: number
  /** How long an idle thread is retained. Default: until `close`. */
  readonly idleMs?: number
  /** Maximum queued jobs, of one owner and of all. */
  readonly perOwner: number
  readonly inAll: number
  /**
   * What is posted for a job, and which of its buffers move to the thread instead of being copied. Called again
   * for a retry. Default: a copy of the job.
   */
  readonly posted?: (job: Job) => {
    readonly message: Job
    readonly transfer: readonly TransferListItem[]
  }
}

export type JobThreads<Job, Answer> = {
  /** @throws JobThreadError; the signal's reason if it aborts before the job starts */
  run(job: Job, who: { readonly owner: string; readonly signal?: AbortSignal }): Promise<Answer>
  /** Starts a thread ahead of the first job. */
  warm(): void
  /** Ends all threads; unfinished jobs reject as `closed`. */
  close(): Promise<void>
}

/** The first message of a thread. */
export type JobThreadReady = { readonly timeFile: string | undefined }

type Entry<Job, Answer> = {
  readonly job: Job
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
  /** Whether a thread crashed while it ran this job. */
  crashed: boolean
}

type Thread<Job, Answer> = {
  readonly worker: Worker
  ready: boolean
  /** The file with its CPU time, once it is ready. */
  timeFile: string | undefined
  /** Whether it has run a job. */
  used: boolean
  entry: Entry<Job, Answer> | undefined
  /** Stops the timer of its job, or of its idle time. */
  stopTimer: () => void
}

const defaultWallFactor = 10

/** Number of consecutive failed thread starts after which jobs are rejected. */
const maxFailedStarts = 3

/**
 * Runs jobs with untrusted data, one at a time per thread, with owners taking turns. A job that
 * takes too much CPU time is ended with its thread. A crash may be the delayed effect of an earlier
 * job of another owner, so the running job is retried once, as the first of a new thread, and fails
 * only if that crashes as well.
 */
export function createJobThreads<Job, Answer>(
  options: JobThreadsOptions<Job>,
): JobThreads<Job, Answer> {
  const threads = new Set<Thread<Job, Answer>>()
  const queue = createFairQueue<Entry<Job, Answer>>({
    perOwner: options.perOwner,
    inAll: options.inAll,
    onEvict: ({ reject }) => reject(new JobThreadError('busy')),
  })
  /** Jobs to retry in a thread that has not run a job. */
  const again: Entry<Job, Answer>[] = []
  let failedStarts = 0
  let closed = false

  const waiting = () => queue.size + again.length

  function start(): void {
    const worker = new Worker(options.script, {
      workerData: options.workerData,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: options.heapMiB },
    })
    const thread: Thread<Job, Answer> = {
      worker,
      ready: false,
      timeFile: undefined,
      used: false,
      entry: undefined,
      stopTimer: () => {},
    }
    threads.add(thread)
    worker.on('message', (message: JobThreadReady | Answer) => {
      if (!thread.ready) {
        thread.ready = true
        thread.timeFile = (message as JobThreadReady).timeFile
        failedStarts = 0
      } else settle(thread, message as Answer)
      serve()
    })
    worker.on('error', (error: Error & { readonly code?: string }) => {
      lose(thread, error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash', error)
    })
    worker.on('exit', () => lose(thread, 'crash', new Error('the thread ended')))
    if (waiting() === 0) worker.unref()
  }

  function serve(): void {
    if (closed) return
    for (const thread of threads) {
      if (!thread.ready || thread.entry !== undefined) continue
      const entry = (thread.used ? undefined : again.shift()) ?? queue.shift()
      if (entry === undefined) rest(thread)
      else begin(thread, entry)
    }
    const starting = [...threads].filter(({ ready }) => !ready)
    if (again.length > 0 && starting.length === 0) discardIdle()
    if (waiting() > starting.length && threads.size < options.threads) start()
    // While jobs are queued, only a starting thread keeps the process alive.
    if (waiting() > 0) for (const { worker } of starting) worker.ref()
  }

  /** A retry needs a new thread: an idle used thread is ended to make room for it. */
  function discardIdle(): void {
    if (threads.size < options.threads) return
    const idle = [...threads].find(({ ready, entry }) => ready && entry === undefined)
    if (idle !== undefined) discard(idle)
  }

  function begin(thread: Thread<Job, Answer>, entry: Entry<Job, Answer>): void {
    thread.stopTimer()
    thread.worker.ref()
    thread.used = true
    thread.entry = entry
    const end = (failure: JobThreadFailure) => () => {
      thread.entry = undefined
      discard(thread)
      entry.reject(new JobThreadError(failure))
      serve()
    }
    const { workMs, wallMs = workMs * defaultWallFactor } = options
    const { timeFile } = thread
    thread.stopTimer = startWorkTimer({
      timeFile,
      workMs,
      wallMs,
      onCpuLimit: end('work'),
      onWallClockLimit: end('late'),
    })
    const { message, transfer } = options.posted?.(entry.job) ?? {
      message: entry.job,
      transfer: [],
    }
    thread.worker.postMessage(message, transfer)
  }

  function settle(thread: Thread<Job, Answer>, answer: Answer): void {
    thread.stopTimer()
    const { entry } = thread
    thread.entry = undefined
    entry?.resolve(answer)
  }

  function rest(thread: Thread<Job, Answer>): void {
    thread.worker.unref()
    if (options.idleMs === undefined) return
    thread.stopTimer()
    const timer = setTimeout(() => discard(thread), options.idleMs).unref()
    thread.stopTimer = () => clearTimeout(timer)
  }

  function discard(thread: Thread<Job, Answer>): void {
    thread.stopTimer()
    threads.delete(thread)
    void thread.worker.terminate()
  }

  /** Handles a thread that ended by itself. */
  function lose(thread: Thread<Job, Answer>, failure: JobThreadFailure, cause: Error): void {
    if (!threads.delete(thread)) return
    thread.stopTimer()
    const { entry } = thread
    if (!thread.ready) {
      failedStarts += 1
      if (failedStarts >= maxFailedStarts) refuseAll(new JobThreadError('start', cause))
    } else if (entry !== undefined) {
      if (entry.crashed) entry.reject(new JobThreadError(failure, cause))
      else again.push(Object.assign(entry, { crashed: true }))
    }
    serve()
  }

  function refuseAll(error: JobThreadError): void {
    failedStarts = 0
    for (const { reject } of [...queue.drain(), ...again.splice(0)]) reject(error)
  }

  return {
    run: (job, { owner, signal }) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new JobThreadError('closed'))
        if (signal?.aborted) return reject(signal.reason)
        const onAbort = () => {
          if (queue.remove(owner, entry)) reject(signal?.reason)
        }
        const ended = <Value>(end: (value: Value) => void) => {
          return (value: Value) => {
            signal?.removeEventListener('abort', onAbort)
            end(value)
          }
        }
        const entry = { job, resolve: ended(resolve), reject: ended(reject), crashed: false }
        if (!queue.push(owner, entry)) return reject(new JobThreadError('busy'))
        signal?.addEventListener('abort', onAbort, { once: true })
        serve()
      }),
    warm() {
      if (threads.size === 0 && !closed) start()
    },
    async close() {
      closed = true
      const error = new JobThreadError('closed')
      refuseAll(error)
      const all = [...threads]
      threads.clear()
      for (const { entry, stopTimer } of all) {
        stopTimer()
        entry?.reject(error)
      }
      await Promise.all(all.map(({ worker }) => worker.terminate()))
    },
  }
}

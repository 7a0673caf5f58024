import { setMaxListeners } from 'node:events'
import { MessageChannel, Worker } from 'node:worker_threads'
import { OracleError } from './oracleError.ts'
import {
  aborted,
  type FromWorker,
  type RunJob,
  type RunMessage,
  type Runner,
  type RunOutcome,
  runOn,
} from './runOnThread.ts'
import { createRunShares, type RunShare } from './runShares.ts'

export interface RunnerPool {
  /** @throws OracleError `wall-clock`, `aborted`, `queue`, `memory` (of the thread) */
  run(job: RunJob): Promise<RunOutcome>
  /** Threads that are alive, working or waiting. */
  size(): number
  /** End all threads; runs under way reject as aborted. */
  close(): Promise<void>
}

/** How long a thread beyond those that compute is kept for the next slow host. */
const spareForMs = 10_000
const prepareAfterMs = 15
/** A thread that takes longer to make an instance is ended. */
const prepareWithinMs = 1_000

/**
 * Threads for oracle runs. A thread serves one run at a time; one that had to be stopped is ended
 * and never used again. Idle threads do not keep the process alive.
 */
export function createRunnerPool(options: {
  /** Runs that compute at once. */
  maxWorkers: number
  /** Of these, of one component. Default: all. */
  maxPerKey?: number | undefined
  /** Threads, with those whose oracle waits for a slow host. Default: no more than compute. */
  maxThreads?: number | undefined
  maxQueued: number
  /** Threads started ahead of the first run. */
  warm: number
  /** JavaScript heap of one thread, MiB. */
  heapMiB: number
  /** Whether a thread that is idle after a run makes an instance for the next of its kind. */
  prepareAhead: boolean
}): RunnerPool {
  const idle: Runner[] = []
  const alive = new Set<Runner>()
  const waiting: {
    key: string
    start: (lease: Lease) => void
    cancel: (error: OracleError) => void
  }[] = []
  const ending = new Set<Promise<unknown>>()
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  const { maxWorkers, maxPerKey = maxWorkers, maxThreads = maxWorkers } = options
  const shares = createRunShares({
    computing: maxWorkers,
    computingPerKey: maxPerKey,
    // However many runs of one component sleep, others find threads to compute on.
    runsPerKey: maxThreads > maxWorkers ? maxThreads - maxWorkers : maxThreads,
  })

  let sparing: NodeJS.Timeout | undefined

  const warm = Math.min(options.warm, maxWorkers)
  for (let count = 0; count < warm; count += 1) idle.push(startRunner())

  return {
    async run(job) {
      const { runner, share } = await acquire(job.message.key, job.signal)
      runner.ahead = undefined
      const setAsleep = (asleep: boolean) => {
        share.setAsleep(asleep)
        if (asleep) serveWaiting()
      }
      try {
        const outcome = await runOn(runner, { ...job, setAsleep }, closing.signal)
        share.end()
        release(runner)
        if (options.prepareAhead) prepareSoon(runner, job.message)
        return outcome
      } catch (error) {
        share.end()
        retire(runner)
        if (!closing.signal.aborted && alive.size < warm) idle.push(startRunner())
        serveWaiting()
        throw error
      }
    },
    size: () => alive.size,
    async close() {
      closing.abort()
      clearTimeout(sparing)
      for (const each of waiting.splice(0)) each.cancel(aborted('the oracle host is closed'))
      for (const runner of alive) retire(runner)
      await Promise.all(ending)
    },
  }

  async function acquire(key: string, signal: AbortSignal | undefined): Promise<Lease> {
    if (closing.signal.aborted) throw aborted('the oracle host is closed')
    if (signal?.aborted) throw aborted('the run was given up before it began')
    const free = lease(key)
    if (free) return free
    if (waiting.length >= options.maxQueued) {
      throw new OracleError('queue', `more than ${options.maxQueued} oracle runs are waiting`)
    }
    return await new Promise<Lease>((resolve, reject) => {
      const giveUp = () => {
        const index = waiting.indexOf(entry)
        if (index !== -1) waiting.splice(index, 1)
        entry.cancel(aborted('the run was given up before it began'))
      }
      const entry = {
        key,
        start: (given: Lease) => {
          signal?.removeEventListener('abort', giveUp)
          resolve(given)
        },
        cancel: (error: OracleError) => {
          signal?.removeEventListener('abort', giveUp)
          reject(error)
        },
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      waiting.push(entry)
    })
  }

  /** Threads that sleep with their oracle are replaced, up to a bound; others are waited for. */
  function isCrowded(): boolean {
    return alive.size >= Math.min(maxThreads, maxWorkers + shares.asleep)
  }

  /** A thread for a run of this component, if it may begin now and there is one. */
  function lease(key: string): Lease | undefined {
    if (!shares.mayBegin(key)) return undefined
    const fitting = idle.findIndex(({ ahead }) => ahead === key)
    const free = fitting === -1 ? idle.pop() : idle.splice(fitting, 1)[0]
    if (!free && isCrowded()) return undefined
    return { runner: free ?? startRunner(), share: shares.begin(key) }
  }

  function serveWaiting(): void {
    if (closing.signal.aborted) return
    for (let at = 0; at < waiting.length; ) {
      if (shares.full || (idle.length === 0 && isCrowded())) return
      const given = lease(waiting[at]!.key)
      if (given) waiting.splice(at, 1)[0]!.start(given)
      else at += 1
    }
  }

  function release(runner: Runner): void {
    if (!alive.has(runner)) return
    idle.push(runner)
    serveWaiting()
    if (alive.size <= maxWorkers || sparing) return
    sparing = setTimeout(() => {
      sparing = undefined
      for (const spare of idle.slice(0, Math.max(0, alive.size - maxWorkers))) retire(spare)
    }, spareForMs)
    sparing.unref()
  }

  /** Once the task that a run belongs to is past its busiest moment, and nobody waits for a thread. */
  function prepareSoon(runner: Runner, { key, source, modules, brand, limits }: RunMessage): void {
    const soon = setTimeout(() => {
      const at = idle.indexOf(runner)
      if (at === -1 || waiting.length > 0) return
      idle.splice(at, 1)
      const overdue = setTimeout(() => retire(runner), prepareWithinMs)
      overdue.unref()
      const onMessage = (message: FromWorker) => {
        if (message.type !== 'prepared') return
        runner.worker.off('message', onMessage)
        clearTimeout(overdue)
        runner.ahead = message.done ? key : undefined
        release(runner)
      }
      runner.worker.on('message', onMessage)
      runner.worker.postMessage({ prepare: { key, source, modules, brand, limits } })
    }, prepareAfterMs)
    soon.unref()
  }

  function retire(runner: Runner): void {
    if (!alive.delete(runner)) return
    const at = idle.indexOf(runner)
    if (at !== -1) idle.splice(at, 1)
    runner.replies.close()
    const end = runner.worker.terminate().finally(() => ending.delete(end))
    ending.add(end)
    serveWaiting()
  }

  function startRunner(): Runner {
    const { port1, port2 } = new MessageChannel()
    const counter = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(new URL('./runner.worker.mjs', import.meta.url), {
      workerData: { replies: port2, counter },
      transferList: [port2],
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: options.heapMiB },
    })
    const ready = new Promise<void>((resolve) => worker.once('message', () => resolve()))
    const runner: Runner = { worker, replies: port1, counter, ready, ahead: undefined }
    worker.unref()
    port1.unref()
    // A thread that dies while idle must leave the pool; during a run the run reports it.
    worker.on('error', () => retire(runner))
    alive.add(runner)
    return runner
  }
}

/** A thread for one run, and the run's share of what is computed. */
interface Lease {
  runner: Runner
  share: RunShare
}

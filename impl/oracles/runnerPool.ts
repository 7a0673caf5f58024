import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { HostFetch, HostRequest, HostResponse } from './hostFetch.ts'
import { formatMs } from './limits.ts'
import { OracleError } from './oracleError.ts'

/** What an instance is made of. */
interface RunCode {
  key: string
  source: string
  modules: Record<string, { module: WebAssembly.Module; maxMemoryBytes: number }>
  brand: string
  limits: { memoryBytes: number; outputBytes: number }
}

/** What a run's thread is told; `runner.worker.mjs` reads it. */
export interface RunMessage extends RunCode {
  input: string
  secrets: Uint8Array | undefined
  nowMs: number
  seed: Uint8Array
}

/** How a run ended, when it ended by itself. */
export type RunOutcome =
  | { kind: 'ok'; output: string }
  | { kind: 'err'; text: string }
  | { kind: 'output-limit'; bytes: number }
  | { kind: 'memory-limit' }
  | { kind: 'trap'; text: string; memoryBytes: number }

export interface RunJob {
  message: RunMessage
  fetch: HostFetch
  wallClockMs: number
  signal?: AbortSignal | undefined
}

export interface RunnerPool {
  /** @throws OracleError `wall-clock`, `aborted`, `queue`, `memory` (of the thread) */
  run(job: RunJob): Promise<RunOutcome>
  /** Threads that are alive, working or waiting. */
  size(): number
  /** End all threads; runs under way reject as aborted. */
  close(): Promise<void>
}

interface Runner {
  worker: Worker
  replies: MessagePort
  counter: Int32Array
  ready: Promise<void>
  /** Identity of the code of which an instance waits in the thread. */
  ahead: string | undefined
}

type FromWorker =
  | { type: 'ready' }
  | { type: 'prepared'; done: boolean }
  | { type: 'fetch'; call: number; request: HostRequest }
  | { type: 'done'; outcome: RunOutcome }

const prepareAfterMs = 15
/** A thread that takes longer to make an instance is ended. */
const prepareWithinMs = 1_000

/**
 * Threads for oracle runs. A thread serves one run at a time; one that had to be stopped is ended
 * and never used again. Idle threads do not keep the process alive.
 */
export function createRunnerPool(options: {
  maxWorkers: number
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
  const waiting: { start: (runner: Runner) => void; cancel: (error: OracleError) => void }[] = []
  const ending = new Set<Promise<unknown>>()
  const closing = new AbortController()

  const warm = Math.min(options.warm, options.maxWorkers)
  for (let count = 0; count < warm; count += 1) idle.push(startRunner())

  return {
    async run(job) {
      const runner = await acquire(job.message.key, job.signal)
      runner.ahead = undefined
      const outcome = await runOn(runner, job, closing.signal).catch((error: unknown) => {
        retire(runner)
        if (!closing.signal.aborted && alive.size < warm) idle.push(startRunner())
        throw error
      })
      release(runner)
      if (options.prepareAhead) prepareSoon(runner, job.message)
      return outcome
    },
    size: () => alive.size,
    async close() {
      closing.abort()
      for (const each of waiting.splice(0)) each.cancel(aborted('the oracle host is closed'))
      for (const runner of alive) retire(runner)
      await Promise.all(ending)
    },
  }

  async function acquire(key: string, signal: AbortSignal | undefined): Promise<Runner> {
    if (closing.signal.aborted) throw aborted('the oracle host is closed')
    if (signal?.aborted) throw aborted('the run was given up before it began')
    const fitting = idle.findIndex(({ ahead }) => ahead === key)
    const free = fitting === -1 ? idle.pop() : idle.splice(fitting, 1)[0]
    if (free) return free
    if (alive.size < options.maxWorkers) return startRunner()
    if (waiting.length >= options.maxQueued) {
      throw new OracleError('queue', `more than ${options.maxQueued} oracle runs are waiting`)
    }
    return await new Promise<Runner>((resolve, reject) => {
      const giveUp = () => {
        const index = waiting.indexOf(entry)
        if (index !== -1) waiting.splice(index, 1)
        entry.cancel(aborted('the run was given up before it began'))
      }
      const entry = {
        start: (runner: Runner) => {
          signal?.removeEventListener('abort', giveUp)
          resolve(runner)
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

  function release(runner: Runner): void {
    if (!alive.has(runner)) return
    const next = waiting.shift()
    if (next) next.start(runner)
    else idle.push(runner)
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
    if (!closing.signal.aborted && waiting.length > 0) waiting.shift()?.start(startRunner())
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

/** One run on one thread. Rejects when the thread had to be, or has been, stopped. */
async function runOn(runner: Runner, job: RunJob, closing: AbortSignal): Promise<RunOutcome> {
  const { worker } = runner
  const calls = new AbortController()
  const cleanups: (() => void)[] = [() => calls.abort()]
  worker.ref()
  try {
    return await new Promise<RunOutcome>((resolve, reject) => {
      if (closing.aborted) throw aborted('the oracle host is closed')
      if (job.signal?.aborted) throw aborted('the run was given up')
      const onMessage = (message: FromWorker) => {
        if (message.type === 'done') resolve(message.outcome)
        if (message.type === 'fetch') void answer(runner, message, job.fetch, calls.signal)
      }
      const onError = (error: Error) => reject(threadFailure(error))
      const onExit = () => reject(new OracleError('trap', 'the run ended unexpectedly'))
      const onAbort = () => reject(aborted('the run was given up'))
      const onClose = () => reject(aborted('the oracle host is closed'))
      worker.on('message', onMessage).on('error', onError).on('exit', onExit)
      job.signal?.addEventListener('abort', onAbort, { once: true })
      closing.addEventListener('abort', onClose, { once: true })
      let timer: NodeJS.Timeout | undefined
      cleanups.push(() => {
        clearTimeout(timer)
        worker.off('message', onMessage).off('error', onError).off('exit', onExit)
        job.signal?.removeEventListener('abort', onAbort)
        closing.removeEventListener('abort', onClose)
      })
      // The guest's time begins when its thread can begin, not while the thread still starts.
      void runner.ready.then(() => {
        const overdue = `the run took longer than ${formatMs(job.wallClockMs)}`
        timer = setTimeout(() => reject(new OracleError('wall-clock', overdue)), job.wallClockMs)
        worker.postMessage(job.message)
      })
    })
  } finally {
    for (const cleanup of cleanups) cleanup()
    worker.unref()
  }
}

async function answer(
  runner: Runner,
  { call, request }: { call: number; request: HostRequest },
  fetch: HostFetch,
  signal: AbortSignal,
): Promise<void> {
  const reply = await fetch(request, signal).then(
    (response: HostResponse) => ({ call, response }),
    (error: unknown) => ({ call, error: error instanceof Error ? error.message : 'failed' }),
  )
  if (signal.aborted) return
  runner.replies.postMessage(reply)
  Atomics.add(runner.counter, 0, 1)
  Atomics.notify(runner.counter, 0)
}

function threadFailure(error: Error & { code?: string }): OracleError {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new OracleError('memory', 'the run used more memory than its thread may have')
    : new OracleError('trap', 'the run ended unexpectedly', { cause: error })
}

function aborted(details: string): OracleError {
  return new OracleError('aborted', details)
}

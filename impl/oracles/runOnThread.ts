import type { MessagePort, Worker } from 'node:worker_threads'
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

/** A thread as the pool knows it. */
export interface Runner {
  worker: Worker
  replies: MessagePort
  counter: Int32Array
  ready: Promise<void>
  /** Identity of the code of which an instance waits in the thread. */
  ahead: string | undefined
}

export type FromWorker =
  | { type: 'ready' }
  | { type: 'prepared'; done: boolean }
  | { type: 'fetch'; call: number; request: HostRequest }
  | { type: 'done'; outcome: RunOutcome }

/** A host that has not answered for so long is slow: somebody else may compute meanwhile. */
const slowAfterMs = 1_000

/** One run on one thread. Rejects when the thread had to be, or has been, stopped. */
export async function runOn(
  runner: Runner,
  job: RunJob & { setAsleep(asleep: boolean): void },
  closing: AbortSignal,
): Promise<RunOutcome> {
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
        if (message.type !== 'fetch') return
        const slow = setTimeout(() => job.setAsleep(true), slowAfterMs)
        cleanups.push(() => clearTimeout(slow))
        void answer(runner, message, job.fetch, calls.signal).finally(() => {
          clearTimeout(slow)
          if (!calls.signal.aborted) job.setAsleep(false)
        })
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

export function aborted(details: string): OracleError {
  return new OracleError('aborted', details)
}

import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { abortReason } from 'polgate-lib/async/abortReason.ts'
import { startWorkTimer } from '../scheduling/workTimer.ts'
import type { HostFetch, HostResponse } from './hostFetch.ts'
import { HostFetchError } from './hostFetchError.ts'
import type { HostRequest } from './hostRequest.ts'
import { formatMs } from './limits.ts'
import { OracleError } from './oracleError.ts'
import type { RunnerThreads } from './runnerThreads.ts'
import type { RunMessage, RunOutcome } from './threadTask.ts'

export type RunJob = {
  message: RunMessage
  /**
   * Owner of the run: queued runs of different owners take turns. Default: one owner per component.
   */
  owner?: string | undefined
  /** Called when the thread starts the run. */
  onBegin?: () => void
  fetch: HostFetch
  wallClockMs: number
  signal?: AbortSignal | undefined
}

type FromThread =
  | { type: 'begun'; timeFile: string | undefined }
  | { type: 'fetch'; call: number; request: HostRequest }

/** After this time a server counts as slow: another run may compute meanwhile. */
const slowAfterMs = 1_000
/**
 * A run has timed out when it computed for this share of its time limit: then it was not starved.
 */
const minCpuShare = 0.4
/** Timeout of a run that gets little CPU time, as a multiple of its time limit. */
const wallClockFactor = 3
/** Timeout of the start of a thread, which fails when the machine lacks a resource. */
const startWithinMs = 20_000

/**
 * Runs one oracle on one thread. Rejects when the run was stopped, which ends its thread. However
 * it ends, the secrets in the memory of the thread are wiped.
 */
export async function runOnThread(
  threads: RunnerThreads,
  job: RunJob & {
    setAsleep(asleep: boolean): void
    ended(thread: number | undefined): void
  },
  closing: AbortSignal,
): Promise<RunOutcome> {
  if (closing.aborted) throw aborted('the oracle host is closed')
  if (job.signal?.aborted) throw aborted('the run was cancelled')
  const { port1: port, port2 } = new MessageChannel()
  const counter = new Int32Array(new SharedArrayBuffer(4))
  const secrets = sharedCopy(job.message.secrets)
  const stop = new AbortController()
  const calls = new AbortController()
  const slow = new Set<NodeJS.Timeout>()
  const onAbort = () => stop.abort(aborted('the run was cancelled'))
  const onClose = () => stop.abort(aborted('the oracle host is closed'))
  const onWallClockLimit = (code: 'wall-clock' | 'queue', text: string) => () =>
    stop.abort(new OracleError(code, text))
  const startFailure = 'no thread could be started for the run'
  const waits = stopwatch()
  const startTimer = setTimeout(onWallClockLimit('queue', startFailure), startWithinMs)
  let stopTimer = () => clearTimeout(startTimer)

  port.on('message', (message: FromThread) => {
    if (message.type === 'begun') {
      job.onBegin?.()
      // The guest's time starts with its run, not while the thread is starting.
      stopTimer()
      const overdue = () => {
        const text = `the run took longer than ${formatMs(job.wallClockMs)}`
        // The message distinguishes a slow guest from a slow server.
        onWallClockLimit(
          'wall-clock',
          waits.running ? `${text}: it waited for an HTTP call` : text,
        )()
      }
      stopTimer = startWorkTimer({
        timeFile: message.timeFile,
        workMs: job.wallClockMs * minCpuShare,
        leastMs: job.wallClockMs,
        wallMs: job.wallClockMs * wallClockFactor,
        waitedMs: waits.totalMs,
        onCpuLimit: overdue,
        onWallClockLimit: overdue,
      })
      return
    }
    waits.start()
    const sleep = setTimeout(() => job.setAsleep(true), slowAfterMs)
    slow.add(sleep)
    void answer({ port, counter }, message, job.fetch, calls.signal).finally(() => {
      clearTimeout(sleep)
      slow.delete(sleep)
      waits.stop()
      if (!calls.signal.aborted) job.setAsleep(false)
    })
  })
  job.signal?.addEventListener('abort', onAbort, { once: true })
  closing.addEventListener('abort', onClose, { once: true })

  const { key } = job.message
  const task = { message: { ...job.message, secrets }, port: port2, counter }
  const given = threads.run(task, { key, signal: stop.signal })
  try {
    return await given.outcome
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : threadFailure(error as Error)
  } finally {
    stopTimer()
    for (const sleep of slow) clearTimeout(sleep)
    job.signal?.removeEventListener('abort', onAbort)
    closing.removeEventListener('abort', onClose)
    calls.abort(abortReason)
    port.close()
    secrets?.fill(0)
    job.ended(given.thread())
  }
}

/** Total time between starts and stops. */
function stopwatch() {
  let total = 0
  let since: number | undefined
  return {
    get running() {
      return since !== undefined
    },
    start() {
      since ??= performance.now()
    },
    stop() {
      if (since !== undefined) total += performance.now() - since
      since = undefined
    },
    totalMs: () => total + (since === undefined ? 0 : performance.now() - since),
  }
}

/**
 * A copy in shared memory, which is the only copy and can be wiped here even when the thread that
 * reads it had to be terminated.
 */
function sharedCopy(secrets: Uint8Array | undefined): Uint8Array | undefined {
  if (secrets === undefined) return undefined
  const copy = new Uint8Array(new SharedArrayBuffer(secrets.length))
  copy.set(secrets)
  return copy
}

async function answer(
  { port, counter }: { port: MessagePort; counter: Int32Array },
  { call, request }: { call: number; request: HostRequest },
  fetch: HostFetch,
  signal: AbortSignal,
): Promise<void> {
  const reply = await fetch(request, signal).then(
    (response: HostResponse) => ({ call, response }),
    (error: unknown) => ({
      call,
      error: error instanceof Error ? error.message : 'failed',
      final: error instanceof HostFetchError && error.final,
    }),
  )
  if (signal.aborted) return
  port.postMessage(reply)
  Atomics.add(counter, 0, 1)
  Atomics.notify(counter, 0)
}

function threadFailure(error: Error & { code?: string }): OracleError {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new OracleError('memory', 'the run exceeded the memory limit of its thread')
    : new OracleError('trap', 'the run ended unexpectedly', { cause: error })
}

export function aborted(details: string): OracleError {
  return new OracleError('aborted', details)
}

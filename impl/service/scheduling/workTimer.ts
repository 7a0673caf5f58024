import { cpuTimeMs } from './threadTime.mjs'

export type WorkTimerOptions = {
  /** `ownTimeFile()` of the thread; without it the wall clock counts as work. */
  readonly timeFile: string | undefined
  /** CPU time that the thread may take, milliseconds. */
  readonly workMs: number
  /** It is not ended before so long, whatever CPU time it took, milliseconds. Default 0. */
  readonly leastMs?: number
  /** The last resort: how long it may take in all, milliseconds. */
  readonly wallMs: number
  /** Time that counts as work though the thread slept, milliseconds so far. */
  readonly waitedMs?: () => number
  /** The work took more than it may. */
  readonly onSpent: () => void
  /** It is not done by the last resort: the machine is busy, or the thread waits for something. */
  readonly onLate: () => void
  /** For tests. */
  readonly cpu?: (file: string | undefined) => number | undefined
}

/** A busy machine is asked again at least so often, milliseconds. */
const leastWaitMs = 20

/**
 * Ends work by the CPU time that it takes, so that what waits for a busy machine is not taken for work
 * that does not end.
 *
 * @returns a function that stops the timer
 */
export function startWorkTimer(options: WorkTimerOptions): () => void {
  const { timeFile, workMs, leastMs = 0, wallMs, waitedMs = () => 0, cpu = cpuTimeMs } = options
  const begun = performance.now()
  const cpuBefore = cpu(timeFile)
  let timer: NodeJS.Timeout | undefined

  const spentMs = (passedMs: number): number => {
    const now = cpu(timeFile)
    if (now === undefined || cpuBefore === undefined) return passedMs
    return now - cpuBefore + waitedMs()
  }
  const look = () => {
    const passedMs = performance.now() - begun
    const spent = spentMs(passedMs)
    if (spent >= workMs && passedMs >= leastMs) options.onSpent()
    else if (passedMs >= wallMs) options.onLate()
    else wait(Math.min(Math.max(workMs - spent, leastMs - passedMs), wallMs - passedMs))
  }
  const wait = (ms: number) => {
    timer = setTimeout(look, Math.max(leastWaitMs, Math.ceil(ms)))
  }

  // No thread takes more CPU time than passes.
  wait(Math.min(Math.max(workMs, leastMs), wallMs))
  return () => clearTimeout(timer)
}

import { cpuTimeMs } from './threadTime.mjs'

export type WorkTimerOptions = {
  /** `ownTimeFile()` of the thread; without it the wall clock counts as work. */
  readonly timeFile: string | undefined
  /** CPU time limit of the thread, milliseconds. */
  readonly workMs: number
  /** Minimum time before it is ended, whatever CPU time it used, milliseconds. Default 0. */
  readonly leastMs?: number
  /** Wall-clock limit, milliseconds. */
  readonly wallMs: number
  /** Waiting time so far that counts as work, milliseconds. */
  readonly waitedMs?: () => number
  /** The work exceeded its CPU time limit. */
  readonly onCpuLimit: () => void
  /** The wall-clock limit was reached: the machine is busy, or the thread is waiting. */
  readonly onWallClockLimit: () => void
  /** For tests. */
  readonly cpu?: (file: string | undefined) => number | undefined
}

/** Minimum interval between checks on a busy machine, milliseconds. */
const leastWaitMs = 20

/**
 * Ends work by its CPU time, so that work that waits for a busy machine is not mistaken for an
 * endless loop.
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
    if (spent >= workMs && passedMs >= leastMs) options.onCpuLimit()
    else if (passedMs >= wallMs) options.onWallClockLimit()
    else wait(Math.min(Math.max(workMs - spent, leastMs - passedMs), wallMs - passedMs))
  }
  const wait = (ms: number) => {
    timer = setTimeout(look, Math.max(leastWaitMs, Math.ceil(ms)))
  }

  // A thread cannot use more CPU time than the time that has passed.
  wait(Math.min(Math.max(workMs, leastMs), wallMs))
  return () => clearTimeout(timer)
}

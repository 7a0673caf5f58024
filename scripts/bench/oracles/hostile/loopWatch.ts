import { closeSync, openSync, readSync } from 'node:fs'

/** Work of the event loop thread, which on a busy machine differs from its delay. */
export type LoopWork = {
  /** Fraction of the time that it was computing. */
  share: number
  /**
   * Longest work between two samples, apart from 5 ms and the sampling itself: the cost of one
   * turn.
   */
  longestMs: number
  /** Longest wait for a core between two samples, because of other processes or threads. */
  waitedMs: number
}

const everyMs = 5

/** Samples the event loop of this process until stopped. Linux only; NaN elsewhere. */
export function watchLoop(): () => LoopWork {
  const begun = performance.now()
  const file = open()
  const first = read(file)
  let last = first
  let longestMs = 0
  let waitedMs = 0
  const look = () => {
    const now = read(file)
    longestMs = Math.max(longestMs, now.workMs - last.workMs)
    waitedMs = Math.max(waitedMs, now.waitMs - last.waitMs)
    last = now
  }
  const timer = setInterval(look, everyMs)
  return () => {
    clearInterval(timer)
    look()
    if (file !== undefined) closeSync(file)
    const share = (last.workMs - first.workMs) / (performance.now() - begun)
    return { share, longestMs, waitedMs }
  }
}

function open(): number | undefined {
  try {
    return openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  } catch {
    return undefined
  }
}

/** The kernel counts both in nanoseconds. */
function read(file: number | undefined): { workMs: number; waitMs: number } {
  if (file === undefined) return { workMs: Number.NaN, waitMs: Number.NaN }
  const bytes = Buffer.alloc(64)
  const [work, waited] = bytes.toString('latin1', 0, readSync(file, bytes, 0, 64, 0)).split(' ')
  return { workMs: Number(work) / 1e6, waitMs: Number(waited) / 1e6 }
}

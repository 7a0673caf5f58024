import { cpuTimeMs, ownTimeFile } from './threadTime.mjs'

/** Interval between reads of the CPU time, which cost a system call, milliseconds. */
const readEvery = 100

/**
 * A clock that advances with the CPU time of the calling thread, milliseconds. Between two reads it
 * advances with the wall clock, so that it is ahead by at most `lookEvery`. Without a readable CPU
 * time it is the wall clock.
 */
export function threadClock(): () => number {
  const file = ownTimeFile()
  let cpuAt = cpuTimeMs(file) ?? 0
  let wallAt = performance.now()
  return () => {
    const now = performance.now()
    if (now - wallAt >= readEvery) {
      cpuAt = cpuTimeMs(file) ?? cpuAt + (now - wallAt)
      wallAt = now
    }
    return cpuAt + (now - wallAt)
  }
}

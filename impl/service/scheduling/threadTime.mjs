// @ts-check
/**
 * CPU time of one thread, which Node 20 does not report. Plain JavaScript: workers have no loader.
 */
import { readFileSync, readlinkSync } from 'node:fs'

/** Linux reports CPU time in hundredths of a second. */
const msPerTick = 10
/** Positions after the name of the thread: time in user mode, time in the kernel. */
const [userTicks, kernelTicks] = [11, 12]

/**
 * The file with the CPU time of the calling thread, readable by every thread of the process.
 * @returns {string | undefined} undefined if the system has none, as outside Linux
 */
export function ownTimeFile() {
  try {
    return `/proc/${readlinkSync('/proc/thread-self')}/stat`
  } catch {
    return undefined
  }
}

/**
 * CPU time of the thread with this file, milliseconds.
 * @param {string | undefined} file
 * @returns {number | undefined} undefined when it is unreadable, or the thread has ended
 */
export function cpuTimeMs(file) {
  if (file === undefined) return undefined
  try {
    const text = readFileSync(file, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = Number(fields[userTicks]) + Number(fields[kernelTicks])
    return Number.isFinite(ticks) ? ticks * msPerTick : undefined
  } catch {
    return undefined
  }
}

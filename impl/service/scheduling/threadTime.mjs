// @ts-check
/**
 * CPU time of one thread, which Node 20 does not report. Plain JavaScript: workers have no loader.
 */
import { openSync, readFileSync, readlinkSync, readSync } from 'node:fs'

/** `stat` reports CPU time in hundredths of a second, `schedstat` in nanoseconds. */
const msPerTick = 10
/** Positions in `stat` after the name of the thread: time in user mode, time in the kernel. */
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

/**
 * A clock of the calling thread's own CPU time, milliseconds: it stands still while the thread
 * waits for the machine. A call takes a few microseconds. Where the system does not report the time
 * of a thread, it is the wall clock, which is never behind.
 * @returns {() => number}
 */
export function createThreadClock() {
  const buffer = Buffer.alloc(64)
  let file = -1
  try {
    file = openSync(`/proc/${readlinkSync('/proc/thread-self')}/schedstat`, 'r')
    if (Number.isNaN(read())) return () => performance.now()
  } catch {
    return () => performance.now()
  }
  return read

  /** The first number of the file is the time on a processor, nanoseconds. */
  function read() {
    const length = readSync(file, buffer, 0, buffer.length, 0)
    return Number.parseInt(buffer.latin1Slice(0, length), 10) / 1e6
  }
}

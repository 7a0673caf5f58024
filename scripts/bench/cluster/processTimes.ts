import { readFileSync } from 'node:fs'

/** CPU seconds that a process has used so far. */
export type ProcessTime = {
  readonly total: number
  /** Of its main thread, which in Node runs all JavaScript but that of workers. */
  readonly mainThread: number
}

/** Clock ticks of /proc, which are the same on all common systems. */
const ticksPerSecond = 100

/** User and system time of a line of /proc/<pid>/stat, and those of children that have ended. */
export function timesOf(stat: string): { readonly own: number; readonly ended: number } {
  // The name of the command may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const sum = (from: number) => (Number(fields[from]) + Number(fields[from + 1])) / ticksPerSecond
  return { own: sum(11), ended: sum(13) }
}

/** Zero for a process that has ended; Linux only. */
export function processTime(pid: number | undefined): ProcessTime {
  const read = (path: string) => {
    try {
      return timesOf(readFileSync(path, 'utf8')).own
    } catch {
      return 0
    }
  }
  if (pid === undefined) return { total: 0, mainThread: 0 }
  return { total: read(`/proc/${pid}/stat`), mainThread: read(`/proc/${pid}/task/${pid}/stat`) }
}

/** CPU seconds of a process and all its children, including those that have ended. */
export function familyTime(pid: number | undefined): number {
  if (pid === undefined) return 0
  const { own, ended } = timesOf(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  const pids = children === '' ? [] : children.split(' ').map(Number)
  return pids.reduce((sum, child) => sum + processTime(child).total, own + ended)
}

/** CPU seconds of all processors of the machine: those in use, and all. */
export function machineTime(): { readonly busy: number; readonly all: number } {
  const [first = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const fields = first.trim().split(/\s+/).slice(1, 9).map(Number)
  const all = fields.reduce((sum, each) => sum + each, 0)
  const idle = (fields[3] ?? 0) + (fields[4] ?? 0)
  return { busy: (all - idle) / ticksPerSecond, all: all / ticksPerSecond }
}

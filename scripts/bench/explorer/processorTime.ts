import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second. */
const ticks = 100

/** Of one process: its parent, and the processor seconds that it has used. */
const statOf = (pid: string) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program, in parentheses, may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / ticks }
  } catch {
    return undefined
  }
}

/**
 * Processor seconds of a process and its children so far; NaN where the system does not tell. Times of
 * answers depend on whatever else runs on the machine, these hardly do.
 */
export const processorSeconds = (pid: number | undefined): number => {
  const own = pid === undefined ? undefined : statOf(String(pid))
  if (own === undefined) return Number.NaN
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(name) ?? [])
    .filter(({ parent }) => parent === pid)
  return children.reduce((sum, { seconds }) => sum + seconds, own.seconds)
}

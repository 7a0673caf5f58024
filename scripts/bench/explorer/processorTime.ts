import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second. */
const ticks = 100

/** Parent, CPU seconds and ended children of one process. */
function statOf(pid: string) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program name, in parentheses, may contain any character.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number) as number[]
    const own = ((user as number) + (system as number)) / ticks
    return {
      parent: Number(fields[1]),
      own,
      ended: ((endedUser as number) + (endedSystem as number)) / ticks,
    }
  } catch {
    return undefined
  }
}

/**
 * CPU seconds of a process and its children; NaN if unavailable. Unlike response times, these
 * hardly depend on the load of the machine.
 */
export function processorSeconds(pid: number | undefined): number {
  const own = pid === undefined ? undefined : statOf(String(pid))
  if (own === undefined) return Number.NaN
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(name) ?? [])
    .filter(({ parent }) => parent === pid)
  return children.reduce((sum, child) => sum + child.own + child.ended, own.own + own.ended)
}

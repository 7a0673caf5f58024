import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { devNull } from 'node:os'

/**
 * How many connections a listener may hold with a share of the file handles of this process: the rest
 * is for files, databases and other processes, so that callers who open connections and send nothing
 * end no work. Undefined where the limit is not known or there is none.
 *
 * @param share above 0, at most 1
 */
export function connectionLimit(share: number): number | undefined {
  const handles = openFilesLimit()
  return handles === undefined ? undefined : Math.max(1, Math.floor(handles * share))
}

/** Of this process, on Linux. */
function openFilesLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}

/** As many as a call may need: of its connection, of the database, of contents, of operators. */
const needed = 16

/** Why this process cannot open what a call needs, whatever uses the file handles up; found out by opening. */
export async function handlesExhausted(): Promise<string | undefined> {
  const opening = await Promise.allSettled(Array.from({ length: needed }, () => open(devNull)))
  const failed = opening.find((each) => each.status === 'rejected')
  await Promise.all(
    opening.map((each) => (each.status === 'fulfilled' ? each.value.close() : undefined)),
  )
  if (failed === undefined) return undefined
  const { code } = failed.reason as NodeJS.ErrnoException
  return code === 'EMFILE' || code === 'ENFILE'
    ? `no file handles are left (${code}): close idle connections, or raise the limit (ulimit -n)`
    : undefined
}

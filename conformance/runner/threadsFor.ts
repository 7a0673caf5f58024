import { availableParallelism } from 'node:os'
import { CannotRun } from '../core/conformanceError.ts'

const most = 64

/**
 * Number of threads. One by default: a gateway on this machine needs the other processors. `auto`
 * leaves one processor for everything else.
 */
export const threadsFor = (
  asked: string | undefined,
  processors: number = availableParallelism(),
): number => {
  if (asked === undefined) return 1
  if (asked === 'auto') return Math.max(1, Math.min(most, processors - 1))
  const count = /^[0-9]{1,3}$/.test(asked) ? Number(asked) : 0
  if (count < 1 || count > most)
    throw new CannotRun(
      `--workers '${asked}' is not a number of threads`,
      `Use 1 to ${most}, or auto.`,
    )
  return count
}

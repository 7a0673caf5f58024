import { availableParallelism } from 'node:os'
import { CannotRun } from '../core/conformanceError.ts'

const most = 64

/**
 * How many threads ask. One by default: a gateway that runs here needs the other processors itself.
 * `auto` leaves one processor to everything else.
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
      `--workers '${asked}' is no number of threads`,
      `Give 1 to ${most}, or auto.`,
    )
  return count
}

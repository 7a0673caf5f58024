import type { Check } from '../core/check.ts'
import type { CheckFinished } from '../core/events.ts'
import { executeCheck } from './execute.ts'
import type { Session } from './session.ts'

export type RunChecksOptions = {
  /** Checks under way at a time; those that are exclusive come last, one at a time. */
  readonly concurrency: number
  readonly onResult?: (result: CheckFinished) => void
  /** Asked before each check: true ends the run after those under way. */
  readonly enough?: () => boolean
}

/**
 * Asks the checks of one session, in this process: side by side, then those that change what others
 * rely on. Resolves with the results in the order in which they ended. Never rejects.
 */
export const runChecks = async (
  checks: readonly Check[],
  session: Session,
  { concurrency, onResult, enough = () => false }: RunChecksOptions,
): Promise<readonly CheckFinished[]> => {
  const results: CheckFinished[] = []
  const runAll = async (some: readonly Check[], atOnce: number) => {
    const waiting = some.values()
    const lane = async () => {
      for (const check of waiting) {
        if (enough()) return
        const result = await executeCheck(check, session)
        results.push(result)
        onResult?.(result)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, lane))
  }
  await runAll(
    checks.filter((check) => !check.exclusive),
    concurrency,
  )
  await runAll(
    checks.filter((check) => check.exclusive),
    1,
  )
  return results
}

import type { Check } from '../core/check.ts'
import type { CheckFinished } from '../core/events.ts'
import { executeCheck } from './execute.ts'
import type { Session } from './session.ts'

export type RunChecksOptions = {
  /** Checks in progress at a time; exclusive checks run last, one at a time. */
  readonly concurrency: number
  readonly onResult?: (result: CheckFinished) => void
  /** Called before each check: true stops the run after the checks in progress. */
  readonly enough?: () => boolean
}

/**
 * Runs the checks of one session in this process: concurrently, then those that change state that
 * others rely on. Resolves with the results in the order of completion. Never rejects.
 */
export async function runChecks(
  checks: readonly Check[],
  session: Session,
  { concurrency, onResult, enough = () => false }: RunChecksOptions,
): Promise<readonly CheckFinished[]> {
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

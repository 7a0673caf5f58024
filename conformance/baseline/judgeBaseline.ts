import type { BaselineEntry, CheckFinished } from '../core/events.ts'
import type { BaselineJudgement } from '../core/summary.ts'

/**
 * Applies a baseline to results. `at` is the start of the run: an entry applies until the end of
 * its date in UTC. An entry whose check did not run or was untestable has no effect.
 */
export function judgeBaseline(
  entries: readonly BaselineEntry[],
  results: readonly Pick<CheckFinished, 'id' | 'verdict'>[],
  at: string,
): BaselineJudgement {
  const verdictOf = new Map(results.map(({ id, verdict }) => [id, verdict]))
  const today = at.slice(0, 10)
  const asked = entries.filter(({ check }) => verdictOf.has(check))
  const expired = asked.filter(({ expires }) => expires < today)
  return {
    expected: new Set(
      asked
        .filter(({ check, expires }) => expires >= today && verdictOf.get(check) === 'failed')
        .map(({ check }) => check),
    ),
    stale: asked.filter(({ check }) => verdictOf.get(check) === 'passed'),
    expired,
  }
}

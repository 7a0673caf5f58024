import type { CheckFinished } from '../runner/events.ts'
import type { BaselineEntry } from './baseline.ts'

/** The effect of a baseline on a run. */
export type BaselineJudgement = {
  /** Checks that failed as expected: they do not decide the verdict. */
  readonly expected: ReadonlySet<string>
  /** Entries whose check passed: they would hide the next failure, so they fail the run. */
  readonly stale: readonly BaselineEntry[]
  /** Expired entries: their checks count again. */
  readonly expired: readonly BaselineEntry[]
}

/**
 * Applies a baseline to results. `at` is the start of the run: an entry applies until the end of
 * its date in UTC. An entry whose check did not run or was untestable has no effect.
 */
export const judgeBaseline = (
  entries: readonly BaselineEntry[],
  results: readonly Pick<CheckFinished, 'id' | 'verdict'>[],
  at: string,
): BaselineJudgement => {
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

import type { CheckFinished } from '../core/events.ts'
import { causeOf, causeText } from './cause.ts'
import { grouped } from './groups.ts'

/** Failures of one cause, in the order of the run. */
export type FailureGroup = {
  readonly cause: string
  readonly results: readonly [CheckFinished, ...CheckFinished[]]
}

/** The failed checks by cause, the most frequent first; one alone is a group too. */
export function failureGroups(results: readonly CheckFinished[]): readonly FailureGroup[] {
  const failed = results.filter(({ verdict }) => verdict === 'failed')
  return [...grouped(failed, causeOf).values()]
    .map((some) => {
      const [first, ...rest] = some as readonly [CheckFinished, ...CheckFinished[]]
      return { cause: causeText(first), results: [first, ...rest] as const }
    })
    .sort((a, b) => b.results.length - a.results.length)
}

import type { ShownEvaluation, ShownFailure } from 'polgate-protocol/control/taskTrace.ts'
import { lineOutcomes, type RuleOutcome } from '../../rules/ruleOutcome.ts'

export type SourceLine = {
  readonly row: number
  readonly text: string
  /** Undefined where nothing is evaluated, or nothing is known. */
  readonly outcome: RuleOutcome | 'reached' | undefined
  /** Whether it is one of those that decided. */
  readonly decides: boolean
  readonly failures: readonly ShownFailure[]
}

/** The lines of a policy, with what happened on them. */
export function sourceLines({
  source,
  explanation,
}: Pick<ShownEvaluation, 'source' | 'explanation'>): readonly SourceLine[] {
  const { rules = [], covered = [], notCovered = [], deciding = [] } = explanation ?? {}
  const definitions = rules.flatMap((rule) => rule.definitions)
  const outcomes = lineOutcomes({ definitions, covered, notCovered })
  const failures = definitions.flatMap((each) => each.failures)
  return source.split('\n').map((text, at) => ({
    ...{ row: at + 1, text, outcome: outcomes.get(at + 1), decides: deciding.includes(at + 1) },
    failures: failures.filter(({ row }) => row === at + 1),
  }))
}

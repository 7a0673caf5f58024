import { jsonOrText } from '../../data/jsonOrText.ts'
import type { KnownTask } from './useTaskTrace.ts'

/** What two runs of a task are compared by, as JSON. */
export function outcomeOf({ summary, path }: Pick<KnownTask, 'summary' | 'path'>): unknown {
  if (summary === undefined) return {}
  const evaluation = path?.evaluations[0]
  return {
    status: summary.status,
    decision: summary.decision?.allow ?? null,
    value: summary.decision?.value ?? null,
    error: summary.error ?? null,
    reasons: summary.reasons ?? null,
    data: summary.settled?.map(jsonOrText) ?? null,
    params: jsonOrText(evaluation?.params),
    input: jsonOrText(evaluation?.input),
    signed: summary.votes.signed,
  }
}

import type { ShownEvaluation, ShownFailure } from 'polgate-protocol/control/taskTrace.ts'

export type SourceLine = {
  readonly row: number
  readonly text: string
  /** `held`: a definition that held; `ended`: an expression that ended one; the others by coverage. */
  readonly state: 'held' | 'ended' | 'reached' | 'unreached' | 'plain'
  readonly failures: readonly ShownFailure[]
}

/** The lines of a policy, with what happened on them. */
export function sourceLines({
  source,
  explanation,
}: Pick<ShownEvaluation, 'source' | 'explanation'>): readonly SourceLine[] {
  const { rules = [], covered = [], notCovered = [], deciding = [] } = explanation ?? {}
  const definitions = rules.flatMap((rule) => rule.definitions)
  const held = new Set(definitions.flatMap((each) => (each.held ? [each.row] : [])))
  const failures = new Map<number, ShownFailure[]>()
  for (const { failures: own } of definitions)
    for (const failure of own)
      failures.set(failure.row, [...(failures.get(failure.row) ?? []), failure])
  const decides = new Set(deciding)
  const reached = new Set(covered)
  const unreached = new Set(notCovered)
  return source.split('\n').map((text, at) => {
    const row = at + 1
    const own = failures.get(row) ?? []
    const state =
      held.has(row) && decides.has(row)
        ? 'held'
        : own.length > 0 && decides.has(row)
          ? 'ended'
          : reached.has(row)
            ? 'reached'
            : unreached.has(row)
              ? 'unreached'
              : 'plain'
    return { row, text, state, failures: own }
  })
}

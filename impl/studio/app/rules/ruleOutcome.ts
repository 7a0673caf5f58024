/** What an evaluation of a policy did with a definition of a rule, or with one of its expressions. */
export type RuleOutcome = 'held' | 'did not hold' | 'not reached'

type Definition = {
  readonly row: number
  readonly held: boolean
  readonly failures: readonly { readonly row: number }[]
}

/** Of a definition; one that no expression ended was not evaluated. */
export function ruleOutcome({
  held,
  failures,
}: Pick<Definition, 'held' | 'failures'>): RuleOutcome {
  if (held) return 'held'
  return failures.length > 0 ? 'did not hold' : 'not reached'
}

/**
 * What happened on each line of a policy, for all that show it: the outcome of the definition that begins on it or of
 * its expression, else whether it was reached. Other lines have none.
 */
export function lineOutcomes({
  definitions,
  covered,
  notCovered,
}: {
  readonly definitions: readonly Definition[]
  readonly covered: readonly number[]
  readonly notCovered: readonly number[]
}): ReadonlyMap<number, RuleOutcome | 'reached'> {
  const outcomes = new Map<number, RuleOutcome | 'reached'>()
  for (const row of covered) outcomes.set(row, 'reached')
  for (const row of notCovered) outcomes.set(row, 'not reached')
  for (const { failures } of definitions)
    for (const { row } of failures) outcomes.set(row, 'did not hold')
  for (const each of definitions) {
    const outcome = ruleOutcome(each)
    if (outcome !== 'not reached') outcomes.set(each.row, outcome)
  }
  return outcomes
}

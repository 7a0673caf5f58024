import type { ShownExplanation } from 'polgate-protocol/control/taskTrace.ts'
import { valuesText } from '../../rules/valuesText.ts'

export type DecisionStep = {
  readonly rule: string
  readonly row: number
  readonly text: string
  readonly held: boolean
  /** Parts of an expression that did not hold with their values. */
  readonly values: string
}

const mostSteps = 20

/**
 * What decided, in short: the definitions of the entrypoint and of `deny` that held, and for a rule without one
 * the expression of each of its definitions that did not hold.
 */
export function decisionSteps(
  { rules }: ShownExplanation,
  entrypoint: string,
): readonly DecisionStep[] {
  const path = `data.${entrypoint.replace(/^data\./, '')}`
  const deny = `${path.slice(0, path.lastIndexOf('.'))}.deny`
  return rules
    .filter(({ name }) => name === path || name === deny)
    .flatMap(({ name, definitions }) => {
      const held = definitions.filter((each) => each.held)
      if (held.length > 0)
        return held.map(({ row, text }) => ({ rule: name, row, text, held: true, values: '' }))
      if (name === deny) return []
      return definitions.flatMap(({ failures }) =>
        failures.slice(0, 1).map(({ row, text, values }) => ({
          ...{ rule: name, row, text, held: false },
          values: valuesText(values),
        })),
      )
    })
    .slice(0, mostSteps)
}

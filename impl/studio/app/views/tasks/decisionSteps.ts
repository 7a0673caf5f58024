import type { ShownExplanation } from 'polgate-protocol/control/taskTrace.ts'

export type DecisionStep = {
  readonly rule: string
  readonly row: number
  readonly text: string
  readonly held: boolean
  /** Parts of the expression with their values, where a definition ended. */
  readonly values: string
}

const mostSteps = 20
const longestValue = 120

/**
 * What decided, in short: the definitions of the entrypoint and of `deny` that held, and for a rule without one
 * the expression at which each of its definitions ended.
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
          values: values
            .map((each) => `${each.text} = ${each.value?.slice(0, longestValue) ?? 'undefined'}`)
            .join(', '),
        })),
      )
    })
    .slice(0, mostSteps)
}

import type { PlaygroundAnswer, TracedRule } from '../../../playground/evaluation.ts'
import { lineOutcomes } from '../../rules/ruleOutcome.ts'

/** A rule with those that it depends on. */
const allOf = (rules: readonly TracedRule[]): readonly TracedRule[] =>
  rules.flatMap((rule) => [
    rule,
    ...rule.definitions.flatMap(({ failures }) =>
      failures.flatMap(({ because }) => allOf(because)),
    ),
  ])

/** What an evaluation did on each line; undefined where the policy does not compile. */
export const outcomesOf = (answer: PlaygroundAnswer | undefined) =>
  answer?.coverage && lineOutcomes(allOf(answer.trace), answer.coverage)

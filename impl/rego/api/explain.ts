import type { EvaluateOptions } from '../engine.ts'
import type { Location } from '../errors.ts'
import { Explainer, type Failure, type RuleExplanation } from '../report/explain.ts'
import { toJson } from '../values/json.ts'
import { helped } from './compile.ts'
import { type Answer, answerOf } from './evaluate.ts'
import type { Policy } from './policy.ts'

/** An expression that did not hold. */
export type ExplainedFailure = {
  readonly text: string
  readonly location: Location
  readonly count: number
  /** Its parts with their last values; a value is undefined where the part was. */
  readonly values: readonly { readonly text: string; readonly value: unknown }[]
  /** Rules that it depends on. */
  readonly because: readonly ExplainedRule[]
}

export type ExplainedRule = {
  /** `data.<package>.<rule>` */
  readonly name: string
  /** Whether its value is that of its `default`. */
  readonly isDefault: boolean
  readonly definitions: readonly {
    readonly text: string
    readonly location: Location
    readonly held: boolean
    /** Where its body ended, the furthest first. */
    readonly failures: readonly ExplainedFailure[]
  }[]
}

export type Explanation = {
  readonly answer: Answer
  /** Every rule at the path or below it that was evaluated. */
  readonly rules: readonly ExplainedRule[]
}

/**
 * Evaluates a rule, `data.<package>.<rule>`, and says of each of its definitions whether it held and
 * which expressions did not.
 *
 * @throws RegoError as `evaluate`
 */
export function explain(policy: Policy, path: string, options: EvaluateOptions = {}): Explanation {
  try {
    const explainer = new Explainer()
    const rows = policy.traced(explainer).prepare(path).evaluate(options)
    return { answer: answerOf(rows), rules: explainer.explain(path).map(plainRule) }
  } catch (error) {
    throw helped(error, policy.builtins)
  }
}

const plainRule = ({ name, isDefault, definitions }: RuleExplanation): ExplainedRule => ({
  name,
  isDefault,
  definitions: definitions.map(({ text, location, held, failures }) => ({
    text,
    location,
    held,
    failures: failures.map(plainFailure),
  })),
})

export const plainFailure = ({
  text,
  location,
  count,
  values,
  because,
}: Failure): ExplainedFailure => ({
  text,
  location,
  count,
  values: values.map(({ text, value }) => ({
    text,
    value: value === undefined ? undefined : toJson(value),
  })),
  because: because.map(plainRule),
})

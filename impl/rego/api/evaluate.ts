import type { EvaluateOptions, Row } from '../engine.ts'
import { stringify, toJson } from '../values/json.ts'
import { helped } from './compile.ts'
import type { Policy } from './policy.ts'

/** One way to satisfy a query. */
export type AnswerRow = {
  /** The variables of the query. */
  readonly bindings: Readonly<Record<string, unknown>>
  /** The value of each expression. */
  readonly values: readonly unknown[]
}

/**
 * The result of a query as plain data: sets are sorted arrays, keys that are not strings are their JSON
 * text, integers beyond 2^53 are `bigint`.
 */
export type Answer = {
  /** Whether there is a result; `false` is one. */
  readonly defined: boolean
  /** The value of the first expression, or undefined. */
  readonly value: unknown
  /** The same as JSON text with exact integers, or undefined. */
  readonly json: string | undefined
  readonly rows: readonly AnswerRow[]
}

/**
 * Evaluates a query: usually the path of a rule, `data.<package>.<rule>`.
 *
 * @throws RegoError if the query does not compile or its evaluation fails; LimitError (a RegoError with
 *   code `eval_cancel_error`) if it exceeds `limits`. A policy that fails has not allowed anything.
 */
export function evaluate(policy: Policy, query: string, options: EvaluateOptions = {}): Answer {
  try {
    return answerOf(policy.engine.prepare(query).evaluate(options))
  } catch (error) {
    throw helped(error, policy.builtins)
  }
}

export function answerOf(rows: readonly Row[]): Answer {
  const [first] = rows
  const value = first?.expressions[0]?.value
  return {
    defined: first !== undefined,
    value: value === undefined ? undefined : toJson(value),
    json: value === undefined ? undefined : stringify(value),
    rows: rows.map(({ bindings, expressions }) => ({
      bindings: Object.fromEntries([...bindings].map(([name, each]) => [name, toJson(each)])),
      values: expressions.map((each) => toJson(each.value)),
    })),
  }
}

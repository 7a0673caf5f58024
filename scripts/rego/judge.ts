import { compare, equal } from 'polgate-rego/values/compare.ts'
import { fromJson, stringify, toJson } from 'polgate-rego/values/json.ts'
import { RegoObject } from 'polgate-rego/values/object.ts'
import { parseJson } from 'polgate-rego/values/parseJson.ts'
import { isArray, type Value } from 'polgate-rego/values/value.ts'
import type { Expectation, Row } from './cases.ts'

/** A row of a query: its variables, and the values of its expressions. */
export type Answer = { readonly bindings: Row; readonly expressions: readonly Value[] }

/** Result of one run: the rows for each input, or the error that ended it. */
export type Outcome =
  | { readonly kind: 'answers'; readonly runs: readonly (readonly Answer[])[] }
  | { readonly kind: 'error'; readonly code: string; readonly text: string }

export type Verdict = {
  readonly passed: boolean
  readonly wanted: string
  readonly got: string
  /** For cases with an expected error text: whether the error contains it. */
  readonly textMatches?: boolean
}

/** Compares a result with the expectation. */
export function judge(expectation: Expectation, outcome: Outcome): Verdict {
  switch (expectation.kind) {
    case 'error':
      return judgeError(expectation, outcome)
    case 'rows':
      return judgeRows(expectation, outcome)
    case 'values':
      return judgeValues(expectation, outcome)
    case 'expression':
      return judgeExpression(expectation.decision.accept, outcome)
  }
}

function shown(outcome: Outcome): string {
  if (outcome.kind === 'error') return outcome.text
  const runs = outcome.runs.map((answers) => `[${answers.map(shownAnswer).join(', ')}]`)
  return runs.length === 1 ? (runs[0] as string) : runs.join(' then ')
}

const shownAnswer = ({ bindings, expressions }: Answer): string =>
  bindings.size > 0
    ? stringify(RegoObject.from(bindings))
    : expressions.length === 1
      ? stringify(expressions[0] as Value)
      : stringify(expressions)

function judgeError(
  want: { readonly code?: string; readonly text?: string },
  outcome: Outcome,
): Verdict {
  const failed = outcome.kind === 'error'
  return {
    passed: failed && (want.code === undefined || outcome.code === want.code),
    wanted: [want.code, want.text].filter((part) => part !== undefined).join(': '),
    got: shown(outcome),
    ...(want.text === undefined ? {} : { textMatches: failed && outcome.text.includes(want.text) }),
  }
}

/** A value after a JSON round trip. */
const jsonForm = (value: Value): Value => fromJson(toJson(value))

const sorted = (value: Value): Value =>
  isArray(value) ? [...value].sort((a, b) => compare(a, b)) : value

function judgeRows(
  want: { readonly rows: readonly Row[]; readonly sortBindings: boolean },
  outcome: Outcome,
): Verdict {
  const wanted = want.rows.map((row): Value => RegoObject.from(row))
  const texts = { wanted: stringify(wanted), got: shown(outcome) }
  if (outcome.kind === 'error') return { passed: false, ...texts }
  const got = outcome.runs.flat().map(({ bindings }): Value => {
    const row = new RegoObject()
    for (const [name, value] of bindings) {
      const form = jsonForm(value)
      row.set(name, want.sortBindings ? sorted(form) : form)
    }
    return row
  })
  const within = (some: readonly Value[], all: readonly Value[]): boolean =>
    some.every((row) => all.some((other) => equal(row, other)))
  return { passed: within(got, wanted) && within(wanted, got), ...texts }
}

/** The convention of the second set for a list of values from the rows of one input. */
function valuesOf(answers: readonly Answer[]): Value[] {
  const [only] = answers
  if (answers.length === 1 && only !== undefined) {
    return only.bindings.size > 0 ? [RegoObject.from(only.bindings)] : [...only.expressions]
  }
  return answers.map(({ bindings, expressions }) =>
    bindings.size > 0 ? RegoObject.from(bindings) : expressions,
  )
}

function judgeValues(
  want: { readonly values: readonly Value[]; readonly sortBindings: boolean },
  outcome: Outcome,
): Verdict {
  const texts = { wanted: want.values.map((v) => stringify(v)).join(', '), got: shown(outcome) }
  if (outcome.kind === 'error') return { passed: false, ...texts }
  const values = outcome.runs.flatMap(valuesOf)
  const got = want.sortBindings ? values.map(sortedWithin) : values
  const wanted = want.sortBindings ? want.values.map(sortedWithin) : want.values
  return { passed: equal(got, wanted), ...texts }
}

/** Sorts arrays that are bindings or members of a package document. */
const sortedWithin = (value: Value): Value =>
  value instanceof RegoObject
    ? RegoObject.from(value.entries().map(([k, v]): [Value, Value] => [k, sorted(v)]))
    : sorted(value)

const judgeExpression = (accept: readonly string[], outcome: Outcome): Verdict => ({
  passed: accept.some((answer) => answersTo(answer, outcome)),
  wanted: accept.join(' or '),
  got: shown(outcome),
})

function answersTo(answer: string, outcome: Outcome): boolean {
  if (answer.startsWith('ERR')) {
    const code = /rego_\w+|eval_\w+/.exec(answer)?.[0]
    return outcome.kind === 'error' && (code === undefined || outcome.code === code)
  }
  if (outcome.kind === 'error') return false
  const values = outcome.runs.flat().map(({ expressions }) => expressions[0] as Value)
  if (answer === 'undefined') return values.length === 0
  return values.length === 1 && equal(jsonForm(values[0] as Value), parseJson(answer))
}

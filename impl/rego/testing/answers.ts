import { builtins } from '../builtins/registry.ts'
import { createEngine, type EngineOptions, type EvaluateOptions } from '../engine.ts'
import { RegoError } from '../errors.ts'
import { stringify } from '../values/json.ts'

type Options = EvaluateOptions &
  Partial<Pick<EngineOptions, 'tracer' | 'extensions' | 'clock' | 'dialect'>>

/** Adds a package clause, unless the policy has one. */
const module = (source: string): string =>
  /^\s*(#.*\s*)*package /.test(source) ? source : `package test\n${source}`

const engineOf = (policies: string | readonly string[], options: Options) =>
  createEngine({
    builtins,
    ...options,
    modules: [policies].flat().map((source, i) => ({
      name: `test-${i}.rego`,
      source: module(source),
    })),
  })

/**
 * For tests: the JSON text of `data.test.p`, or of another query with one expression; 'undefined'
 * if it has no result.
 */
export function answerOf(
  policies: string | readonly string[],
  options: Options = {},
  query = 'data.test.p',
): string {
  const [row] = engineOf(policies, options).prepare(query).evaluate(options)
  const value = row?.expressions[0]?.value
  return value === undefined ? 'undefined' : stringify(value)
}

/** For tests: the bindings of all rows of a query, as JSON texts. */
export const rowsOf = (
  query: string,
  policies: string | readonly string[] = 'package test',
  options: Options = {},
): string[] =>
  engineOf(policies, options)
    .prepare(query)
    .evaluate(options)
    .map(({ bindings }) =>
      [...bindings]
        .map(([name, value]) => `${name}=${stringify(value)}`)
        .sort()
        .join(' '),
    )

/** For tests: `code: message` of the error of a policy. */
export function errorOf(
  policies: string | readonly string[],
  options: Options = {},
  query = 'data.test.p',
): string {
  try {
    return `no error, but ${answerOf(policies, options, query)}`
  } catch (error) {
    if (error instanceof RegoError) return `${error.code}: ${error.message}`
    throw error
  }
}

/** For tests: `row:col` of the error of a policy. */
export function placeOf(policies: string | readonly string[], options: Options = {}): string {
  try {
    answerOf(policies, options)
    return 'no error'
  } catch (error) {
    if (!(error instanceof RegoError)) throw error
    const { row, col } = error.location ?? { row: 0, col: 0 }
    return `${row}:${col}`
  }
}

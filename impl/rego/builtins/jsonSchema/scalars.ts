import { divide, toInteger } from '../../values/number.ts'
import { isNumber, type Value } from '../../values/value.ts'
import type { BuiltinContext } from '../builtin.ts'
import { chargeRun, compileRegex } from '../regex.ts'
import { codePoints } from '../text.ts'
import { FORMATS } from './formats.ts'

/** A validation error. */
export type Problem = { readonly field: string; readonly type: string; readonly desc: string }

/** An error at the current location. */
export type Say = (type: string, desc: string) => Problem

export const isLess = (size: number, bound: Value | undefined): boolean =>
  bound !== undefined && isNumber(bound) && size < bound

export const isMore = (size: number, bound: Value | undefined): boolean =>
  bound !== undefined && isNumber(bound) && size > bound

/** Whether a pattern occurs in a text. */
export function matches(ctx: BuiltinContext, pattern: string, text: string): boolean {
  const regex = compileRegex(ctx, pattern)
  chargeRun(ctx, regex, text)
  return regex.test(text)
}

/** A keyword of the schema. */
type Keyword = (name: string) => Value | undefined

/** Validates a number. */
export function numberProblems(value: number | bigint, keyword: Keyword, say: Say): Problem[] {
  const problems: Problem[] = []
  const bound = (name: string): number | bigint | undefined => {
    const limit = keyword(name)
    return limit !== undefined && isNumber(limit) ? limit : undefined
  }
  const factor = bound('multipleOf')
  if (factor !== undefined && toInteger(divide(value, factor)) === undefined) {
    problems.push(say('multiple_of', `Must be a multiple of ${factor}`))
  }
  // Draft 4 says by a boolean that a bound is exclusive; later drafts have another bound.
  const bounds = (name: string, exclusive: string) =>
    keyword(exclusive) === true
      ? { outside: bound(name) }
      : { limit: bound(name), outside: bound(exclusive) }
  const below = bounds('maximum', 'exclusiveMaximum')
  const above = bounds('minimum', 'exclusiveMinimum')
  if (below.limit !== undefined && value > below.limit) {
    problems.push(say('number_lte', `Must be less than or equal to ${below.limit}`))
  }
  if (below.outside !== undefined && value >= below.outside) {
    problems.push(say('number_lt', `Must be less than ${below.outside}`))
  }
  if (above.limit !== undefined && value < above.limit) {
    problems.push(say('number_gte', `Must be greater than or equal to ${above.limit}`))
  }
  if (above.outside !== undefined && value <= above.outside) {
    problems.push(say('number_gt', `Must be greater than ${above.outside}`))
  }
  return problems
}

/** Validates the length and the pattern of a string. */
export function stringProblems(
  ctx: BuiltinContext,
  value: string,
  keyword: Keyword,
  say: Say,
): Problem[] {
  const problems: Problem[] = []
  const [min, max] = [keyword('minLength'), keyword('maxLength')]
  const length = codePoints(value)
  if (isLess(length, min)) {
    problems.push(say('string_gte', `String length must be greater than or equal to ${min}`))
  }
  if (isMore(length, max)) {
    problems.push(say('string_lte', `String length must be less than or equal to ${max}`))
  }
  const pattern = keyword('pattern')
  if (typeof pattern === 'string' && !matches(ctx, pattern, value)) {
    problems.push(say('pattern', `Does not match pattern '${pattern}'`))
  }
  return problems
}

/** Validates the format of a string. */
export function formatProblems(
  ctx: BuiltinContext,
  value: string,
  keyword: Keyword,
  say: Say,
): Problem[] {
  const format = keyword('format')
  const check = typeof format === 'string' ? FORMATS.get(format) : undefined
  if (check === undefined || (value.length < 4_096 && check(value, ctx))) return []
  return [say('format', `Does not match format '${format}'`)]
}

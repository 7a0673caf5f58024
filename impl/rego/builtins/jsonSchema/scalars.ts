import { divide, toInteger } from '../../values/number.ts'
import { isNumber, type ObjectValue, type Value } from '../../values/value.ts'
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

/** Validates a number. */
export function numberProblems(value: number | bigint, schema: ObjectValue, say: Say): Problem[] {
  const problems: Problem[] = []
  const bound = (name: string): number | bigint | undefined => {
    const limit = schema.get(name)
    return limit !== undefined && isNumber(limit) ? limit : undefined
  }
  const factor = bound('multipleOf')
  if (factor !== undefined && toInteger(divide(value, factor)) === undefined) {
    problems.push(say('multiple_of', `Must be a multiple of ${factor}`))
  }
  const [min, max] = [bound('minimum'), bound('maximum')]
  // Draft 4 uses a boolean where draft 6 uses a number.
  const above = schema.get('exclusiveMinimum') === true ? min : bound('exclusiveMinimum')
  const below = schema.get('exclusiveMaximum') === true ? max : bound('exclusiveMaximum')
  if (above !== undefined && value <= above) {
    problems.push(say('number_gt', `Must be greater than ${above}`))
  } else if (min !== undefined && value < min) {
    problems.push(say('number_gte', `Must be greater than or equal to ${min}`))
  }
  if (below !== undefined && value >= below) {
    problems.push(say('number_lt', `Must be less than ${below}`))
  } else if (max !== undefined && value > max) {
    problems.push(say('number_lte', `Must be less than or equal to ${max}`))
  }
  return problems
}

/** Validates a string. */
export function stringProblems(
  ctx: BuiltinContext,
  value: string,
  schema: ObjectValue,
  say: Say,
): Problem[] {
  const problems: Problem[] = []
  const [min, max] = [schema.get('minLength'), schema.get('maxLength')]
  const length = codePoints(value)
  if (isLess(length, min)) {
    problems.push(say('string_gte', `String length must be greater than or equal to ${min}`))
  }
  if (isMore(length, max)) {
    problems.push(say('string_lte', `String length must be less than or equal to ${max}`))
  }
  const pattern = schema.get('pattern')
  if (typeof pattern === 'string' && !matches(ctx, pattern, value)) {
    problems.push(say('pattern', `Does not match pattern '${pattern}'`))
  }
  const format = schema.get('format')
  const check = typeof format === 'string' ? FORMATS.get(format) : undefined
  if (check !== undefined && !(value.length < 4_096 && check(value, ctx))) {
    problems.push(say('format', `Does not match format '${format}'`))
  }
  return problems
}

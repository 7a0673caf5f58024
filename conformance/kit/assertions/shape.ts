import { expectObject, expectThat, type JsonObject } from '../../core/expect.ts'

/** A rule for one value: undefined if it is satisfied, else the expectation. */
export type Rule = (value: unknown) => string | undefined

const rule =
  (holds: (value: unknown) => boolean, expected: string): Rule =>
  (value) =>
    holds(value) ? undefined : expected

const text = (pattern: RegExp, expected: string) =>
  rule((value) => typeof value === 'string' && pattern.test(value), expected)

export const string = rule((v) => typeof v === 'string', 'a string')
export const boolean = rule((v) => typeof v === 'boolean', 'a boolean')
export const array = rule(Array.isArray, 'an array')
export const object = rule(
  (v) => typeof v === 'object' && v !== null && !Array.isArray(v),
  'an object',
)
export const natural = rule(
  (v) => Number.isSafeInteger(v) && Number(v) >= 0,
  'a whole number from 0',
)
export const isNull = rule((v) => v === null, 'null')
/** Section 2.1. */
export const data = text(/^0x([0-9a-f]{2})*$/i, 'hex bytes with 0x')
export const quantity = text(/^0x(0|[1-9a-f][0-9a-f]*)$/i, 'a compact hex quantity')
export const address = text(/^0x[0-9a-f]{40}$/i, 'a 20-byte hex address')
export const bytes32 = text(/^0x[0-9a-f]{64}$/i, '32 bytes as hex with 0x')
/** Seconds, not milliseconds: between 2020 and 2100. */
export const unixSeconds = rule(
  (v) => Number.isInteger(v) && Number(v) > 1_577_000_000 && Number(v) < 4_102_000_000,
  'unix seconds',
)
export const byteArray = rule(
  (v) => Array.isArray(v) && v.every((b) => Number.isInteger(b) && b >= 0 && b <= 255),
  'an array of numbers from 0 to 255',
)
/** ISO 8601 in UTC, to the second or finer. */
export const isoTime = rule(
  (v) =>
    typeof v === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]00:00)$/.test(v) &&
    !Number.isNaN(Date.parse(v)),
  'an ISO 8601 time in UTC',
)
export const filledString = rule((v) => typeof v === 'string' && v !== '', 'a non-empty string')
export const positive = rule((v) => Number.isSafeInteger(v) && Number(v) >= 1, 'a number from 1')
/** A number, or the same number as Quantity: where the specification leaves it open. */
export const count = rule(
  (v) => natural(v) === undefined || quantity(v) === undefined,
  'a whole number or a hex quantity',
)
export const oneOf = (...values: readonly unknown[]): Rule =>
  rule(
    (v) => values.includes(v),
    `${values.length === 1 ? '' : 'one of '}${values.map((v) => JSON.stringify(v)).join(', ')}`,
  )
export const nullable =
  (inner: Rule): Rule =>
  (v) =>
    v === null ? undefined : inner(v) === undefined ? undefined : `${inner(v)} or null`
export const optional =
  (inner: Rule): Rule =>
  (v) =>
    v === undefined ? undefined : inner(v) === undefined ? undefined : `${inner(v)} or absent`

/** Checks each member by the rule of its name; other members are ignored. */
export function expectShape(
  value: unknown,
  rules: Readonly<Record<string, Rule>>,
  path: string,
): asserts value is JsonObject {
  expectObject(value, path)
  for (const [name, check] of Object.entries(rules)) {
    const expected = check(value[name])
    expectThat(expected === undefined, `${path}.${name}`, expected, value[name])
  }
}

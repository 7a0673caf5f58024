import { type JsonType, type Member, typeOf } from './member.ts'

/** How a fault changes a member. */
export const operatorNames = [
  'drop',
  'null',
  'retype',
  'rename',
  'off-by-one',
  'stale',
  'swap',
  'echo',
] as const
export type OperatorName = (typeof operatorNames)[number]

/** The value of another JSON type that a careless gateway would send. */
export function retyped(value: unknown): unknown {
  switch (typeOf(value)) {
    case 'number':
    case 'boolean':
      return String(value)
    case 'string': {
      const number = Number(value)
      return value !== '' && Number.isFinite(number) ? number : 0
    }
    case 'array':
      return { ...(value as unknown[]) }
    case 'object':
      return [value]
    default:
      return value
  }
}

/** `policyClient` for `policy_client` and the reverse; one word gets a suffix. */
export function renamed(name: string): string {
  const camel = name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  if (camel !== name) return camel
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return snake !== name && !snake.startsWith('_') ? snake : `${name}_value`
}

const nextDigit = (digit: string): string => ((Number.parseInt(digit, 16) + 1) % 16).toString(16)

function nextText(text: string, member: Member): string {
  if (/^\d+$/.test(text) && text.length < 64) return (BigInt(text) + 1n).toString()
  if (/^0x[0-9a-f]+$/i.test(text) || /^[0-9a-f-]{32,}$/i.test(text))
    return text.slice(0, -1) + nextDigit(text.slice(-1))
  const time = member.format === 'date-time' ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? text : new Date(time + 1000).toISOString()
}

/**
 * The neighbour of a value: a number or time later by one, an id with another last digit, the next
 * one of few values. Text has none, and stays as it is.
 */
export function nextTo(value: unknown, member: Member): unknown {
  const { values } = member
  if (values !== undefined && values.length > 1 && values.includes(value))
    return values[(values.indexOf(value) + 1) % values.length]
  switch (typeOf(value)) {
    case 'number':
      return (value as number) + 1
    case 'boolean':
      return !value
    case 'string':
      return nextText(value as string, member)
    default:
      return value
  }
}

function fits(value: unknown, { pattern, values, nullable, types }: Member): boolean {
  if (value === null) return nullable
  const type = typeOf(value) as JsonType
  return (
    (types.length === 0 || types.includes(type)) &&
    (values === undefined || values.includes(value)) &&
    (pattern === undefined || (type === 'string' && new RegExp(pattern).test(value as string)))
  )
}

/** Whether two values differ by more than the case of hex digits, which the specification leaves open. */
const differ = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' && typeof other === 'string'
    ? one.toLowerCase() !== other.toLowerCase()
    : one !== other

/** The first value out of a request that the member could have, and has not. */
export const echoed = (value: unknown, member: Member, request: readonly unknown[]): unknown =>
  request.find(
    (each) => typeOf(each) === typeOf(value) && differ(each, value) && fits(each, member),
  ) ?? value

/** Strings, numbers and booleans inside a value, outer ones first. */
export function leavesOf(value: unknown): readonly unknown[] {
  const type = typeOf(value)
  if (type === undefined) return []
  if (type !== 'object' && type !== 'array') return [value]
  return Object.values(value as object).flatMap(leavesOf)
}

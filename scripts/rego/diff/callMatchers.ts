import { isArray, isObject, isSet, typeName, type Value } from 'polgate-rego/values/value.ts'
import type { CallMade } from './callsOf.ts'
import type { Matcher } from './matcher.ts'

type Is = (args: readonly Value[], result: Value | undefined) => boolean

/** A call of one of these built-ins with such arguments. */
export const made =
  (names: readonly string[], is: Is) =>
  ({ name, args, result }: CallMade): boolean =>
    names.includes(name) && is(args, result)

/** The engine at 0.9 answers calls of these built-ins with such arguments differently. */
export const engine = (names: readonly string[], is: Is): Matcher => ({
  peer: 'regorus',
  made: made(names, is),
})

/** The same of OPA. */
export const opa = (names: readonly string[], is: Is): Matcher => ({
  peer: 'opa',
  made: made(names, is),
})

export const text = (value: Value | undefined): string => (typeof value === 'string' ? value : '')

export const isInteger = (value: Value | undefined): boolean =>
  typeof value === 'bigint' || Number.isSafeInteger(value)

/** Beyond 64 bits. */
export const isBig = (value: Value | undefined): boolean =>
  typeof value === 'bigint' && BigInt.asIntN(64, value) !== value

export const isAscii = (value: Value | undefined): boolean => /^[\0-\x7f]*$/.test(text(value))

export const sortOf = (value: Value | undefined): string =>
  value === undefined ? '' : typeName(value)

/** The members of a collection, and its keys. */
export function partsOf(value: Value): readonly Value[] {
  if (isArray(value)) return value
  if (isSet(value)) return value.values()
  return isObject(value) ? value.entries().flat() : []
}

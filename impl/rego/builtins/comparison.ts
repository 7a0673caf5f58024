import { compare, equal } from '../values/compare.ts'
import { isArray, isComposite, type Value } from '../values/value.ts'
import type { Builtin } from './builtin.ts'
import { ANY, BOOLEAN } from './types.ts'

const binary = (name: string, infix: string, test: (a: Value, b: Value) => boolean): Builtin => ({
  name,
  infix,
  args: [ANY, ANY],
  result: BOOLEAN,
  call: (_, a: Value, b: Value) => test(a, b),
})

function isMember(member: Value, collection: Value): boolean {
  if (!isComposite(collection)) return false
  if (isArray(collection)) {
    return isComposite(member)
      ? collection.some((item) => equal(item, member))
      : collection.includes(member)
  }
  if (collection.kind === 'set') return collection.has(member)
  return !collection.every((_, value) => !equal(value, member))
}

function isMemberAt(key: Value, member: Value, collection: Value): boolean {
  if (!isComposite(collection)) return false
  const found = isArray(collection)
    ? typeof key === 'number'
      ? collection[key]
      : undefined
    : collection.kind === 'set'
      ? collection.has(key)
        ? key
        : undefined
      : collection.get(key)
  return found !== undefined && equal(found, member)
}

/**
 * Comparison and membership (`in`), which is false, not undefined, for values that are not
 * collections.
 */
export const comparisonBuiltins: readonly Builtin[] = [
  binary('equal', '==', equal),
  binary('neq', '!=', (a, b) => !equal(a, b)),
  binary('lt', '<', (a, b) => compare(a, b) < 0),
  binary('lte', '<=', (a, b) => compare(a, b) <= 0),
  binary('gt', '>', (a, b) => compare(a, b) > 0),
  binary('gte', '>=', (a, b) => compare(a, b) >= 0),
  // The evaluator handles unification and assignment; called as functions they compare.
  binary('eq', '=', equal),
  binary('assign', ':=', equal),
  binary('internal.member_2', 'in', isMember),
  {
    name: 'internal.member_3',
    infix: 'in',
    args: [ANY, ANY, ANY],
    result: BOOLEAN,
    call: (_, key: Value, member: Value, collection: Value) => isMemberAt(key, member, collection),
  },
]

import { LimitError } from '../errors.ts'
import { visited } from './limits.ts'
import { isArray, MAX_DEPTH, type ObjectValue, type SetValue, type Value } from './value.ts'
import { bare, WrittenNumber } from './writtenNumber.ts'

function rank(value: Value): number {
  switch (typeof value) {
    case 'string':
      return 4
    case 'number':
    case 'bigint':
      return 3
    case 'boolean':
      return value ? 2 : 1
    default:
      if (value === null) return 0
      if (isArray(value)) return 5
      return (value as ObjectValue | SetValue).kind === 'object' ? 6 : 7
  }
}

/**
 * Compares strings by code point. UTF-16 order differs only where a surrogate meets a unit of
 * U+E000..U+FFFF, so the units decide unless both are beyond the start of the surrogates.
 */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x === y) continue
    if (x < 0xd800 || y < 0xd800) return x < y ? -1 : 1
    const xs = x < 0xe000
    const ys = y < 0xe000
    if (xs === ys) return x < y ? -1 : 1
    return xs ? 1 : -1
  }
  return a.length < b.length ? -1 : a.length > b.length ? 1 : 0
}

const tooDeep = (): LimitError => new LimitError(`values nest deeper than ${MAX_DEPTH} levels`)

/** Rego's total order: null, booleans, numbers, strings, arrays, objects, sets. */
export function compare(left: Value, right: Value, depth = 0): number {
  if (left === right) return 0
  if (typeof left === 'string' && typeof right === 'string') return compareStrings(left, right)
  const a = bare(left)
  const b = bare(right)
  if (a === b) return 0
  const order = rank(a) - rank(b)
  if (order !== 0) return order < 0 ? -1 : 1
  if (depth > MAX_DEPTH) throw tooDeep()
  if (typeof a !== 'object' || a === null || a instanceof WrittenNumber) {
    // Only numbers remain; JavaScript compares number and bigint exactly.
    return (a as number) < (b as number) ? -1 : 1
  }
  if (isArray(a)) return compareLists(a, b as readonly Value[], depth)
  if (a.kind === 'object') return compareObjects(a, b as ObjectValue, depth)
  return compareLists(a.values(), (b as SetValue).values(), depth)
}

function compareLists(a: readonly Value[], b: readonly Value[], depth: number): number {
  const length = Math.min(a.length, b.length)
  visited(0)
  for (let i = 0; i < length; i++) {
    const order = compare(a[i] as Value, b[i] as Value, depth + 1)
    if (order !== 0) return order
  }
  return a.length < b.length ? -1 : a.length > b.length ? 1 : 0
}

function compareObjects(a: ObjectValue, b: ObjectValue, depth: number): number {
  const ak = a.keys()
  const bk = b.keys()
  visited(0)
  const length = Math.min(ak.length, bk.length)
  for (let i = 0; i < length; i++) {
    const x = ak[i] as Value
    const y = bk[i] as Value
    const order =
      compare(x, y, depth + 1) || compare(a.get(x) as Value, b.get(y) as Value, depth + 1)
    if (order !== 0) return order
  }
  return ak.length < bk.length ? -1 : ak.length > bk.length ? 1 : 0
}

/** Equality by value. Scalars are canonical, so they are equal only if identical. */
export function equal(a: Value, b: Value, depth = 0): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || a === null) return b instanceof WrittenNumber && a === b.value
  if (a instanceof WrittenNumber) return a.value === bare(b)
  if (typeof b !== 'object' || b === null || b instanceof WrittenNumber) return false
  if (depth > MAX_DEPTH) throw tooDeep()
  if (isArray(a)) {
    if (!isArray(b) || a.length !== b.length) return false
    visited(a.length)
    for (let i = 0; i < a.length; i++) {
      if (!equal(a[i] as Value, b[i] as Value, depth + 1)) return false
    }
    return true
  }
  if (isArray(b) || a.size !== b.size) return false
  visited(a.size)
  if (a.kind === 'object') {
    if (b.kind !== 'object') return false
    return a.every((key, value) => {
      const other = b.get(key)
      return other !== undefined && equal(value, other, depth + 1)
    })
  }
  return b.kind === 'set' && a.every((member) => b.has(member))
}

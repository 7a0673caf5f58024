import { LimitError } from '../errors.ts'
import { visited, written } from './limits.ts'
import {
  type Composite,
  isArray,
  isComposite,
  MAX_DEPTH,
  type ObjectValue,
  type SetValue,
  type Value,
} from './value.ts'
import { bare } from './writtenNumber.ts'

/** Longer texts are cached: recomputing them is more expensive than storing them. */
const KEPT = 64

/** Longer texts are charged as memory. */
const LONG = 4_096

/** Cached texts of arrays, which have no field for them. */
const ofArrays = new WeakMap<readonly Value[], string>()

/**
 * A unique text for each value, equal exactly for equal values, for use as a Map key of arrays,
 * objects and sets. It is neither JSON nor sorted.
 */
export function canonicalKey(value: Composite, depth = 0): string {
  if (depth > MAX_DEPTH) throw new LimitError(`values nest deeper than ${MAX_DEPTH} levels`)
  if (isArray(value)) {
    if (value.length === 0) return '[]'
    const known = value.length > 4 ? ofArrays.get(value) : undefined
    if (known !== undefined) return known
    visited(value.length)
    let text = '['
    for (let i = 0; i < value.length; i++) text += `${part(value[i] as Value, depth)},`
    text += ']'
    if (text.length > LONG) written(text.length)
    if (value.length > 4 && text.length > KEPT) ofArrays.set(value, text)
    return text
  }
  if (value.canonical !== undefined) return value.canonical
  visited(value.size)
  const parts: string[] = []
  if (value.kind === 'object') {
    value.forEach((k, v) => {
      parts.push(`${part(k, depth)}:${part(v, depth)}`)
    })
    return keep(value, `{${parts.sort().join()}}`)
  }
  value.forEach((member) => {
    parts.push(part(member, depth))
  })
  return keep(value, `<${parts.sort().join()}>`)
}

function keep(value: ObjectValue | SetValue, text: string): string {
  if (text.length > LONG) written(text.length)
  if (text.length > KEPT) value.canonical = text
  return text
}

function part(value: Value, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return isComposite(value) ? canonicalKey(value, depth + 1) : String(bare(value))
}

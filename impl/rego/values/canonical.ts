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

/** Texts longer than this are kept: to make them again costs more than to hold them. */
const KEPT = 64

/** Texts longer than this are charged as memory. */
const LONG = 4_096

/** Of arrays, which cannot hold it themselves. */
const ofArrays = new WeakMap<readonly Value[], string>()

/**
 * One text for each value, the same for equal values and different for others: what a Map can
 * use as the key of an array, object or set. Not JSON, and in no particular order.
 */
export const canonicalKey = (value: Composite, depth = 0): string => {
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

const keep = (value: ObjectValue | SetValue, text: string): string => {
  if (text.length > LONG) written(text.length)
  if (text.length > KEPT) value.canonical = text
  return text
}

const part = (value: Value, depth: number): string => {
  if (typeof value === 'string') return JSON.stringify(value)
  return isComposite(value) ? canonicalKey(value, depth + 1) : String(value)
}

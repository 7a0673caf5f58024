import { RegoObject } from '../values/object.ts'
import type { SetValue, Value } from '../values/value.ts'
import { bare, WrittenNumber } from '../values/writtenNumber.ts'

/** The value under a key: an array element, a member's value, or a set member itself. */
export function lookup(value: Value, key: Value): Value | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (value instanceof RegoObject) return value.get(key)
  if (Array.isArray(value)) {
    const index = bare(key)
    return typeof index === 'number' ? (value as readonly Value[])[index] : undefined
  }
  if (value instanceof WrittenNumber) return undefined
  return (value as SetValue).has(key) ? key : undefined
}

/** External documents have string keys: a number finds the member of that name. */
export function lookupStored(value: Value, key: Value): Value | undefined {
  const found = lookup(value, key)
  if (found !== undefined) return found
  const bareKey = bare(key)
  return typeof bareKey === 'number' && value instanceof RegoObject
    ? value.get(String(bareKey))
    : undefined
}

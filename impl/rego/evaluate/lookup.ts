import { RegoObject } from '../values/object.ts'
import type { SetValue, Value } from '../values/value.ts'
import { bare, WrittenNumber } from '../values/writtenNumber.ts'
import type { Context } from './context.ts'

/**
 * The value under a key: an array element, a member's value, or a set member itself.
 *
 * @param c where the key may be a written number: `1.0` is an index in the engine at 0.9, but not in OPA
 */
export function lookup(value: Value, key: Value, c?: Context): Value | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (value instanceof RegoObject) return value.get(key)
  if (Array.isArray(value)) {
    if (typeof key === 'number') return (value as readonly Value[])[key]
    if (!(key instanceof WrittenNumber) || c?.run.builtins.dialect === 'opa-1.2') return undefined
    return (value as readonly Value[])[Number(key.value)]
  }
  if (value instanceof WrittenNumber) return undefined
  return (value as SetValue).has(key) ? key : undefined
}

/** External documents have string keys: a number finds the member of that name. */
export function lookupStored(value: Value, key: Value, c?: Context): Value | undefined {
  const found = lookup(value, key, c)
  if (found !== undefined) return found
  const bareKey = bare(key)
  return typeof bareKey === 'number' && value instanceof RegoObject
    ? value.get(String(bareKey))
    : undefined
}

import { RegoObject } from '../../values/object.ts'
import type { ObjectValue, Value } from '../../values/value.ts'

/** The JSON form of Go's structures: empty lists are null. */

export const struct = (members: Readonly<Record<string, Value>>): ObjectValue =>
  RegoObject.from(Object.entries(members))

export const orNull = (items: readonly Value[]): Value => (items.length === 0 ? null : items)

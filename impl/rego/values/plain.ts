import { LimitError } from '../errors.ts'
import { visited } from './limits.ts'
import { RegoObject } from './object.ts'
import { RegoSet } from './set.ts'
import { type Composite, isArray, isComposite, MAX_DEPTH, type Value } from './value.ts'
import { bare, writtenNumbersExist } from './writtenNumber.ts'

/** The plain forms of values, which are immutable; a value without written numbers is its own. */
const forms = new WeakMap<Composite, Composite>()

/** The same value with plain integers instead of written numbers, at any depth. */
export function plain(value: Value): Value {
  if (!writtenNumbersExist() || typeof value !== 'object' || value === null) return value
  return plainAt(value, 0)
}

function plainAt(value: Value, depth: number): Value {
  if (!isComposite(value)) return bare(value)
  const known = forms.get(value)
  if (known !== undefined) return known
  if (depth > MAX_DEPTH) throw new LimitError(`values nest deeper than ${MAX_DEPTH} levels`)
  const form = rebuilt(value, (part) => plainAt(part, depth + 1))
  forms.set(value, form)
  if (form !== value) forms.set(form, form)
  return form
}

/** The value itself if none of its parts changes. */
function rebuilt(value: Composite, convert: (part: Value) => Value): Composite {
  let isSame = true
  const converted = (part: Value): Value => {
    const result = convert(part)
    if (result !== part) isSame = false
    return result
  }
  if (isArray(value)) {
    visited(value.length)
    const items = value.map(converted)
    return isSame ? value : items
  }
  visited(value.size)
  if (value.kind === 'set') {
    const set = new RegoSet()
    value.forEach((member) => {
      set.add(converted(member))
    })
    return isSame ? value : set
  }
  const object = new RegoObject()
  value.forEach((key, member) => {
    object.set(converted(key), converted(member))
  })
  return isSame ? value : object
}

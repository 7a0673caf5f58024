import { LimitError } from '../errors.ts'
import { type Composite, isArray, isComposite, MAX_DEPTH, type Value } from './value.ts'

/**
 * One text for each value, the same for equal values and different for others: what a Map can
 * use as the key of an array, object or set. Not JSON, and in no particular order.
 */
export const canonicalKey = (value: Composite, depth = 0): string => {
  if (depth > MAX_DEPTH) throw new LimitError(`values nest deeper than ${MAX_DEPTH} levels`)
  if (isArray(value)) {
    let text = '['
    for (let i = 0; i < value.length; i++) text += `${part(value[i] as Value, depth)},`
    return `${text}]`
  }
  const parts: string[] = []
  if (value.kind === 'object') {
    value.forEach((k, v) => {
      parts.push(`${part(k, depth)}:${part(v, depth)}`)
    })
    return `{${parts.sort().join()}}`
  }
  value.forEach((member) => {
    parts.push(part(member, depth))
  })
  return `<${parts.sort().join()}>`
}

const part = (value: Value, depth: number): string => {
  if (typeof value === 'string') return JSON.stringify(value)
  return isComposite(value) ? canonicalKey(value, depth + 1) : String(value)
}

import { RegoError } from '../errors.ts'
import { fromJson } from '../values/json.ts'
import { JsonError, parseJson } from '../values/parseJson.ts'
import { isObject, type Scalar, type Value } from '../values/value.ts'

/** The value of a document that is given as data, or as JSON text. */
export function documentOf(document: unknown, json: string | undefined): Value | undefined {
  if (json === undefined) return document === undefined ? undefined : fromJson(document)
  try {
    return parseJson(json, { written: true })
  } catch (cause) {
    if (!(cause instanceof JsonError)) throw cause
    throw new RegoError('eval_internal_error', `document is not JSON: ${cause.message}`, { cause })
  }
}

/** Merges two documents: objects recursively, otherwise the second wins. */
export function merged(a: Value, b: Value): Value {
  if (!isObject(a) || !isObject(b)) return b
  if (a.size === 0) return b
  const object = a.copy()
  b.forEach((key: Scalar | Value, value) => {
    const before = a.get(key)
    object.set(key, before === undefined ? value : merged(before, value))
  })
  return object
}

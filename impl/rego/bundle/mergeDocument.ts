import { isObject, type ObjectValue, type Value } from '../values/value.ts'
import { BundleError } from './bundleError.ts'

/** Merges a document into `data` recursively. @throws BundleError on conflicting values */
export function mergeDocument(data: ObjectValue, document: ObjectValue, path: string): void {
  merge(data, document, [], path)
}

function merge(into: ObjectValue, from: ObjectValue, at: readonly string[], path: string): void {
  for (const [key, value] of from.entries()) {
    const before = into.get(key)
    const here = [...at, String(key)]
    if (before === undefined) {
      into.set(key, isObject(value) ? value.copy() : value)
    } else if (isObject(before) && isObject(value)) {
      const merged: Value = before.copy()
      merge(merged, value, here, path)
      into.set(key, merged)
    } else {
      throw new BundleError(`${path}: data.${here.join('.')} already has a value from another file`)
    }
  }
}

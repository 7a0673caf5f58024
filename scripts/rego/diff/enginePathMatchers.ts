import { splitPath } from 'polgate-rego/builtins/jsonPaths.ts'
import {
  isArray,
  isComposite,
  isObject,
  type ObjectValue,
  type SetValue,
  type Value,
} from 'polgate-rego/values/value.ts'
import { engine, partsOf } from './callMatchers.ts'
import type { Matcher } from './matcher.ts'

/** An empty path, an empty name, or a name that is not a string. */
const isEmptyOrOdd = (path: Value): boolean =>
  typeof path === 'string'
    ? path === ''
    : partsOf(path).length === 0 ||
      partsOf(path).some((name) => name === '' || typeof name !== 'string')

/** JSON pointers escape slashes and tildes; the slash before the first name is optional. */
const isPointer = (path: Value): boolean => typeof path === 'string' && /^\/|\/$|~[01]/.test(path)

function memberOf(value: readonly Value[] | ObjectValue | SetValue, name: Value) {
  if (isArray(value)) return /^\d+$/.test(String(name)) ? value[Number(name)] : undefined
  if (isObject(value)) return value.get(name)
  return value.has(name) ? name : undefined
}

/** Whether names are left of a path when it comes to a scalar. */
function isBelowScalar(whole: Value | undefined, path: Value): boolean {
  let value = whole
  for (const name of typeof path === 'string' ? splitPath(path) : partsOf(path)) {
    if (value === undefined) return false
    if (!isComposite(value)) return true
    value = memberOf(value, name)
  }
  return false
}

const somePath = (paths: Value | undefined, is: (path: Value) => boolean): boolean =>
  paths !== undefined && partsOf(paths).some(is)

const matchersOf = (name: 'json.filter' | 'json.remove', id: string) => ({
  [id]: engine([name], ([, paths]) => somePath(paths, isEmptyOrOdd)),
  [`${id}-pointers`]: engine([name], ([, paths]) => somePath(paths, isPointer)),
  [`${id}-below-a-scalar`]: engine([name], ([value, paths]) =>
    somePath(paths, (path) => isBelowScalar(value, path)),
  ),
})

/** Entries about the paths of `json.filter` and `json.remove` in the engine at 0.9. */
export const ENGINE_PATH_MATCHERS: Readonly<Record<string, Matcher>> = {
  ...matchersOf('json.filter', 'engine-json-filter'),
  ...matchersOf('json.remove', 'engine-json-remove'),
}

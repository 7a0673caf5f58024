import { BuiltinError } from '../../errors.ts'
import { isArray, isObject, type Value } from '../../values/value.ts'

/**
 * The part of a schema that a reference such as `#/definitions/x` names.
 *
 * @throws BuiltinError if there is none, or if it is of another document
 */
export function resolve(root: Value, ref: string): Value {
  if (ref !== '' && !ref.startsWith('#')) {
    const isRemote = /^[a-z][a-z\d+.-]*:/i.test(ref)
    throw new BuiltinError(
      isRemote
        ? `remote references are not allowed: ${ref}`
        : `Reference /${ref} must be canonical`,
    )
  }
  let value = root
  for (const token of ref.slice(2).split('/')) if (token !== '') value = memberOf(value, token)
  return value
}

function memberOf(value: Value, token: string): Value {
  if (isObject(value)) {
    const key = decoded(token).replaceAll('~1', '/').replaceAll('~0', '~')
    const member = value.get(key)
    if (member === undefined) throw new BuiltinError(`Object has no key '${key}'`)
    return member
  }
  if (!isArray(value)) throw new BuiltinError(`Invalid token reference '${token}'`)
  if (!/^[-+]?\d+$/.test(token)) throw new BuiltinError(`Invalid array index '${token}'`)
  const member = value[Number(token)]
  if (member !== undefined) return member
  throw new BuiltinError(`Out of bound array[0,${value.length}] index '${Number(token)}'`)
}

function decoded(token: string): string {
  try {
    return decodeURIComponent(token)
  } catch {
    return token
  }
}

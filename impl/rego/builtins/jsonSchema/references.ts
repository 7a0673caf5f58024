import { BuiltinError } from '../../errors.ts'
import { isArray, isObject, type Value } from '../../values/value.ts'

/** The parts of a schema by the references to them: `#/definitions/x`, or `#x` for the part with that `$id`. */
export class References {
  private readonly root: Value
  private readonly known = new Map<string, Value>()
  private named: ReadonlyMap<string, Value> | undefined

  constructor(root: Value) {
    this.root = root
  }

  /** @throws BuiltinError if there is no such part, or if it is in another document */
  resolve(ref: string): Value {
    const known = this.known.get(ref)
    if (known !== undefined) return known
    const found = this.find(ref)
    this.known.set(ref, found)
    return found
  }

  private find(ref: string): Value {
    if (ref !== '' && !ref.startsWith('#')) throw notHere(ref)
    const pointer = decoded(ref).slice(1)
    if (pointer === '') return this.root
    if (pointer.startsWith('/')) {
      return pointer.slice(1).split('/').reduce(memberOf, this.root)
    }
    this.named ??= partsByName(this.root)
    const part = this.named.get(ref)
    if (part === undefined) throw new BuiltinError(`reference ${ref} has no target`)
    return part
  }
}

function notHere(ref: string): BuiltinError {
  const isRemote = /^[a-z][a-z\d+.-]*:/i.test(ref)
  return new BuiltinError(
    isRemote ? `remote references are not allowed: ${ref}` : `Reference /${ref} must be canonical`,
  )
}

function memberOf(value: Value, token: string): Value {
  if (isObject(value)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
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

function partsByName(root: Value): ReadonlyMap<string, Value> {
  const parts = new Map<string, Value>()
  const rest = [root]
  for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
    if (isArray(value)) {
      for (const item of value) rest.push(item)
    } else if (isObject(value)) {
      const id = value.get('$id') ?? value.get('id')
      if (typeof id === 'string' && id.startsWith('#')) parts.set(id, value)
      for (const [, member] of value.entries()) rest.push(member)
    }
  }
  return parts
}

function decoded(ref: string): string {
  try {
    return decodeURIComponent(ref)
  } catch {
    throw new BuiltinError(`parse ${JSON.stringify(ref)}: invalid URL escape`)
  }
}

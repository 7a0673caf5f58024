import { BuiltinError } from '../../errors.ts'
import { isArray, isObject, type ObjectValue, type Value } from '../../values/value.ts'
import { resolveReference, withoutFragment } from './uris.ts'

/** Values are data, not schemas. */
const DATA: readonly Value[] = ['const', 'enum']

/** Members of these are schemas, whatever their names; `$id` or `$ref` is one of them. */
const OF_NAMES: readonly Value[] = ['properties', 'dependencies', 'patternProperties']

/**
 * The parts of a schema by the references to them: a path below the root, or below the part around the reference that
 * has an `$id` or `id`, or that name itself.
 */
export class References {
  /** By their names, which are resolved against those around them. */
  private readonly parts = new Map<string, Value>()
  /** Schemas with a reference, resolved against the names around it. */
  private readonly targets = new Map<ObjectValue, string>()

  /** @throws BuiltinError if two parts have the same name */
  constructor(root: Value) {
    this.collect(root, '')
    this.parts.set('', root)
  }

  private collect(value: Value, base: string): void {
    if (isArray(value)) for (const item of value) this.collect(item, base)
    if (!isObject(value)) return
    const id = value.get('id') ?? value.get('$id')
    const own = typeof id === 'string' ? resolveReference(base, id) : undefined
    if (own !== undefined) {
      if (this.parts.has(own)) throw new BuiltinError(`Reference already exists: "${own}"`)
      this.parts.set(own, value)
    }
    const scope = own ?? base
    const ref = value.get('$ref')
    const target = typeof ref === 'string' ? resolveReference(scope, ref) : undefined
    if (target !== undefined) this.targets.set(value, target)
    for (const [key, member] of value.entries()) {
      if (DATA.includes(key)) continue
      if (!OF_NAMES.includes(key)) this.collect(member, scope)
      else if (isObject(member)) {
        for (const [, schema] of member.entries()) this.collect(schema, scope)
      }
    }
  }

  /** The reference of a schema as it is followed; undefined if it has none. */
  targetOf(schema: ObjectValue): string | undefined {
    const ref = schema.get('$ref')
    return typeof ref === 'string' ? (this.targets.get(schema) ?? ref) : undefined
  }

  /** @throws BuiltinError if there is no such part, or if it is in another document */
  resolve(ref: string): Value {
    const known = this.parts.get(ref)
    if (known !== undefined) return known
    const found = this.find(ref)
    this.parts.set(ref, found)
    return found
  }

  private find(ref: string): Value {
    if (resolveReference('', ref) === undefined) {
      throw new BuiltinError(`parse ${JSON.stringify(ref)}: invalid URL escape`)
    }
    const document = this.parts.get(withoutFragment(ref))
    if (document === undefined) throw notHere(ref)
    const pointer = decodeURIComponent(ref.slice(withoutFragment(ref).length + 1))
    if (pointer === '') return document
    if (pointer.startsWith('/')) return pointer.slice(1).split('/').reduce(memberOf, document)
    throw new BuiltinError(`reference ${ref} has no target`)
  }
}

function notHere(ref: string): BuiltinError {
  const isRemote = /^[a-z][a-z\d+.-]*:/i.test(ref)
  return new BuiltinError(
    isRemote ? `remote references are not allowed: ${ref}` : `Reference ${ref} must be canonical`,
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

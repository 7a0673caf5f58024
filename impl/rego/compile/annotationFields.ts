import { parseUrl } from '../builtins/goUrl.ts'
import { parseTerm } from '../syntax/parser.ts'
import { fromJson } from '../values/json.ts'
import { RegoObject } from '../values/object.ts'
import type { ObjectValue, Value } from '../values/value.ts'

/** What an annotation may be of. */
export type AnnotationTarget = 'rule' | 'package'

export type AnnotationScope = 'rule' | 'document' | 'package' | 'subpackages'

/** The YAML of an annotation is not what OPA accepts; the message is OPA's. */
export class AnnotationError extends Error {
  override readonly name: string = 'AnnotationError'
}

const TARGET_OF: Readonly<Record<string, AnnotationTarget>> = {
  rule: 'rule',
  document: 'rule',
  package: 'package',
  subpackages: 'package',
}

/**
 * The members of an annotation as OPA decodes them: of its types, others left out, empty ones too.
 *
 * @param yaml a YAML document: maps, arrays and scalars; scalars in place of texts as they are written
 * @throws AnnotationError
 */
export function annotationFields(yaml: unknown, target: AnnotationTarget): ObjectValue {
  if (yaml === null || yaml === undefined) fail('expected METADATA block, found whitespace')
  const raw = mapOf(yaml, 'document')
  const isEntrypoint = raw.get('entrypoint') ?? false
  if (typeof isEntrypoint !== 'boolean') fail('yaml: unmarshal errors: entrypoint is not a boolean')
  const usual = target === 'package' ? 'package' : isEntrypoint ? 'document' : 'rule'
  const scope = textOf(raw, 'scope') || usual
  const wanted = TARGET_OF[scope]
  if (wanted === undefined) {
    fail(
      `invalid annotation scope '${scope}'. Use one of 'rule', 'document', 'package', or 'subpackages'`,
    )
  }
  if (wanted !== target)
    fail(`annotation scope '${scope}' must be applied to ${wanted} (have ${target})`)

  const fields = new RegoObject().set('scope', scope)
  if (isEntrypoint) fields.set('entrypoint', true)
  for (const name of ['title', 'description']) {
    const text = textOf(raw, name)
    if (text !== '') fields.set(name, text)
  }
  const lists: Readonly<Record<string, (item: unknown) => Value>> = {
    organizations: (item) => textIn(item, 'organizations'),
    related_resources: related,
    authors: author,
    schemas: schema,
  }
  for (const [name, decoded] of Object.entries(lists)) {
    const items = raw.get(name) ?? []
    if (!Array.isArray(items)) fail(`yaml: unmarshal errors: ${name} is not a list`)
    if (items.length > 0) fields.set(name, items.map(decoded))
  }
  const custom = mapOf(raw.get('custom') ?? new Map(), 'custom')
  if (custom.size > 0) fields.set('custom', jsonOf(custom, true))
  return fields
}

function fail(message: string): never {
  throw new AnnotationError(message)
}

function mapOf(value: unknown, name: string): ReadonlyMap<unknown, unknown> {
  if (!(value instanceof Map)) fail(`yaml: unmarshal errors: ${name} is not a mapping`)
  return value
}

const textOf = (raw: ReadonlyMap<unknown, unknown>, name: string): string =>
  textIn(raw.get(name), name)

function textIn(value: unknown, name: string): string {
  if (typeof value === 'object' && value !== null)
    fail(`yaml: unmarshal errors: ${name} is not a string`)
  return String(value ?? '')
}

/** A member of a map, if it is a text. */
function trimmed(map: ReadonlyMap<unknown, unknown>, name: string): string {
  const value = map.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

function related(item: unknown): Value {
  const invalid = (why: string): never => fail(`invalid related-resource definition: ${why}`)
  const isMap = item instanceof Map
  if (!isMap && typeof item !== 'string') invalid('invalid value type, must be string or map')
  const ref = isMap ? trimmed(item, 'ref') : (item as string)
  if (ref === '') invalid(isMap ? "'ref' value required in object" : 'ref URL may not be empty')
  if (parseUrl(ref) === undefined) invalid('invalid URL')
  const description = isMap ? trimmed(item, 'description') : ''
  const value = new RegoObject().set('ref', ref)
  return description === '' ? value : value.set('description', description)
}

/** An object, or the parts of `Name <mail@host>`. */
function author(item: unknown): Value {
  const invalid = (why: string): never => fail(`invalid author definition: ${why}`)
  if (item instanceof Map) {
    const value = named(trimmed(item, 'name'), trimmed(item, 'email'))
    return value.size === 0 ? invalid("'name' and/or 'email' values required in object") : value
  }
  if (typeof item !== 'string') return invalid('invalid value type, must be string or map')
  const parts = item.split(/\s+/).filter((part) => part !== '')
  if (parts.length === 0) invalid('author is an empty string')
  const email = /^<(.*)>$/.exec(parts.at(-1) ?? '')?.[1]
  return named(parts.slice(0, email === undefined ? undefined : -1).join(' '), email ?? '')
}

function named(name: string, email: string): ObjectValue {
  const value = new RegoObject()
  if (name !== '') value.set('name', name)
  if (email !== '') value.set('email', email)
  return value
}

/** `path: schema`, where the schema is a reference or the schema itself. */
function schema(item: unknown): Value {
  const [pair] = mapOf(item, 'schemas')
  const [path, given] = pair ?? fail('invalid schema definition: path and schema required')
  const value = new RegoObject().set('path', referenceIn(String(path)))
  if (typeof given === 'string') {
    const reference = referenceIn(given)
    if (reference[0] !== 'schema') fail('invalid schema reference: it must begin with schema')
    return value.set('schema', reference)
  }
  if (!(given instanceof Map) && typeof given !== 'boolean')
    fail('invalid schema definition: it must be a reference or a mapping')
  return value.set('definition', jsonOf(given, false))
}

function referenceIn(text: string): readonly Value[] {
  const invalid = (): never => fail(`invalid document reference: ${text}`)
  try {
    const term = parseTerm(text)
    if (term.kind === 'var') return [term.name]
    if (term.kind !== 'ref' || term.head.kind !== 'var') return invalid()
    return [
      term.head.name,
      ...term.path.map((part) => (part.kind === 'scalar' ? part.value : invalid())),
    ]
  } catch {
    return invalid()
  }
}

/** `hasAnyKeys`: of the map itself, whose keys are read as texts. */
function jsonOf(value: unknown, hasAnyKeys: boolean): Value {
  if (Array.isArray(value)) return value.map((item) => jsonOf(item, false))
  if (!(value instanceof Map)) return fromJson(value ?? null)
  const object = new RegoObject()
  for (const [key, member] of value) {
    if (typeof key !== 'string' && !hasAnyKeys) fail(`invalid map key type: ${String(key)}`)
    object.set(String(key), jsonOf(member, false))
  }
  return object
}

import { BuiltinError } from '../../errors.ts'
import { stringify } from '../../values/json.ts'
import { isArray, isNumber, isObject, type ObjectValue, type Value } from '../../values/value.ts'
import type { BuiltinContext } from '../builtin.ts'
import { compileRegex } from '../regex.ts'

/** A version of JSON Schema. A schema that names none may have the keywords of all. */
export type Draft = 4 | 6 | 7 | 'any'

/** The draft that a schema names by `$schema`. */
export function draftOf(schema: Value): Draft {
  const name = isObject(schema) ? schema.get('$schema') : undefined
  const uri = typeof name === 'string' ? name : ''
  const number = /^http:\/\/json-schema\.org\/draft-0([467])\/schema#?$/.exec(uri)?.[1]
  return number === undefined ? 'any' : (Number(number) as Draft)
}

/** What a keyword's value is checked with. */
export type Check = {
  readonly ctx: BuiltinContext
  readonly draft: Draft
  readonly schema: ObjectValue
  /** Checks a schema within. */
  readonly inner: (schema: Value) => void
}

type Keyword = (value: Value, name: string, check: Check) => void

const invalid = (message: string): BuiltinError => new BuiltinError(message)
const invalidType = (expected: string, given: string): BuiltinError =>
  invalid(`Invalid type. Expected: ${expected}, given: ${given}`)

const isSchema = (value: Value): boolean => typeof value === 'boolean' || isObject(value)

const TYPES = ['array', 'boolean', 'integer', 'number', 'null', 'object', 'string']

const type: Keyword = (value) => {
  const names = new Set<Value>()
  for (const name of isArray(value) ? value : [value]) {
    if (typeof name !== 'string') throw invalidType('type', 'string/Array Of Strings')
    if (!TYPES.includes(name)) {
      const valid = `Expected valid values are:[${TYPES.join(' ')}]`
      throw invalid(`has a primitive type that is NOT VALID -- given: /${name}/ ${valid}`)
    }
    if (names.has(name)) throw invalid(`${name} type is duplicated`)
    names.add(name)
  }
}

const text: Keyword = (value, name) => {
  if (typeof value !== 'string') throw invalidType('string', name)
}

const pattern: Keyword = (value, name, check) => {
  text(value, name, check)
  compileRegex(check.ctx, value as string)
}

/** A schema, or an error that names what it should be. */
const schema =
  (wrong: (name: string) => BuiltinError): Keyword =>
  (value, name, { inner }) => {
    if (!isSchema(value)) throw wrong(name)
    inner(value)
  }

/** A schema of which an error says that it is none. */
const plainSchema: Keyword = (value, _, { inner }) => inner(value)

const object = schema((name) => invalid(`${name} must be of an object`))

/** A boolean is not a schema in draft 4, but stands for one here. */
const booleanOrSchema: Keyword = (value, name, { inner }) => {
  if (typeof value === 'boolean') return
  if (!isObject(value)) throw invalidType('boolean/Valid Schema', name)
  inner(value)
}

const definitions: Keyword = (value, name, { inner }) => {
  const wrong = invalidType('Array Of Schemas', name)
  if (!isObject(value)) throw wrong
  for (const [, item] of value.entries()) {
    if (!isSchema(item)) throw wrong
    inner(item)
  }
}

const properties: Keyword = (value, _, { inner }) => {
  if (!isObject(value)) throw invalid('Properties must be of type object')
  for (const [, item] of value.entries()) inner(item)
}

const patternProperties: Keyword = (value, name, { ctx, inner }) => {
  if (!isObject(value)) throw invalidType('Valid Schema', name)
  for (const [key, item] of value.entries()) {
    try {
      compileRegex(ctx, String(key))
    } catch (error) {
      if (!(error instanceof BuiltinError)) throw error
      throw invalid(`Invalid regex pattern '${String(key)}'`)
    }
    inner(item)
  }
}

const dependencies: Keyword = (value, name, { inner }) => {
  if (!isObject(value)) throw invalid(`${name} must be of type object`)
  for (const [, item] of value.entries()) {
    if (isSchema(item)) inner(item)
    else if (!isArray(item) || !item.every((each) => typeof each === 'string')) {
      throw invalid('Dependency must be of type Schema Or Array Of Strings')
    }
  }
}

const items: Keyword = (value, name, { inner }) => {
  for (const item of isArray(value) ? value : [value]) {
    if (!isSchema(item)) throw invalidType('Valid Schema/Array Of Schemas', name)
    inner(item)
  }
}

const array: Keyword = (value, name) => {
  if (!isArray(value)) throw invalid(`${name} must be of an array`)
}

const schemas: Keyword = (value, name, check) => {
  array(value, name, check)
  for (const item of value as readonly Value[]) check.inner(item)
}

const enumeration: Keyword = (value, name, check) => {
  array(value, name, check)
  unique(value as readonly Value[], name)
}

const required: Keyword = (value, name, check) => {
  array(value, name, check)
  const names = value as readonly Value[]
  if (!names.every((each) => typeof each === 'string')) throw invalidType('string', name)
  unique(names, name)
}

function unique(members: readonly Value[], name: string): void {
  if (new Set(members.map((each) => stringify(each))).size < members.length) {
    throw invalid(`${name} items must be unique`)
  }
}

const multipleOf: Keyword = (value, name) => {
  if (!isNumber(value)) throw invalidType('Number', name)
  if (value <= 0) throw invalid(`${name} must be strictly greater than 0`)
}

const bound: Keyword = (value, name) => {
  if (!isNumber(value)) throw invalid(`${name} must be of a Number`)
}

/** A number; in draft 4 whether the bound of another keyword itself is excluded. */
const exclusive =
  (other: string): Keyword =>
  (value, name, { draft, schema }) => {
    const [takesBoolean, takesNumber] = [draft === 4 || draft === 'any', draft !== 4]
    if (takesNumber && isNumber(value)) return
    if (!takesBoolean || typeof value !== 'boolean') {
      const types = [takesBoolean ? 'boolean' : '', takesNumber ? 'number' : '']
      throw invalidType(types.filter((each) => each !== '').join('/'), name)
    }
    if (!schema.has(other)) throw invalid(`${name} cannot be used without ${other}`)
  }

/** A count that is at least that of `least`, where both are bounded so. */
const count =
  (least?: string): Keyword =>
  (value, name, { schema }) => {
    const isCount = isNumber(value) && Number.isInteger(Number(value)) && fitsGo(value)
    if (!isCount) throw invalid(`${name} must be of an integer`)
    if (value < 0) throw invalid(`${name} must be greater than or equal to 0`)
    const minimum = least === undefined ? undefined : schema.get(least)
    if (minimum !== undefined && isNumber(minimum) && minimum > value) {
      throw invalid(`${least} cannot be greater than ${name}`)
    }
  }

const fitsGo = (value: number | bigint): boolean =>
  BigInt.asIntN(64, BigInt(value)) === BigInt(value)

const boolean: Keyword = (value, name) => {
  if (typeof value !== 'boolean') throw invalid(`${name} must be of a boolean`)
}

/** Any value. */
const any: Keyword = () => undefined

const propertyNames = schema(() => invalidType('Valid Schema', 'patternProperties'))

/** All keywords up to references, in the order of OPA, whose first error is the answer. */
export const BEFORE_REFERENCE: readonly (readonly [name: string, keyword: Keyword])[] = [
  ['definitions', definitions],
  ['title', text],
  ['description', text],
  ['$ref', text],
]

/** The others, which a reference replaces, with the draft that they are from. */
export const KEYWORDS: readonly (readonly [name: string, keyword: Keyword, since?: 6 | 7])[] = [
  ['type', type],
  ['properties', properties],
  ['additionalProperties', booleanOrSchema],
  ['patternProperties', patternProperties],
  ['propertyNames', propertyNames, 6],
  ['dependencies', dependencies],
  ['items', items],
  ['additionalItems', booleanOrSchema],
  ['multipleOf', multipleOf],
  ['minimum', bound],
  ['exclusiveMinimum', exclusive('minimum')],
  ['maximum', bound],
  ['exclusiveMaximum', exclusive('maximum')],
  ['minLength', count()],
  ['maxLength', count('minLength')],
  ['pattern', pattern],
  ['format', text],
  ['minProperties', count()],
  ['maxProperties', count('minProperties')],
  ['required', required],
  ['minItems', count()],
  ['maxItems', count()],
  ['uniqueItems', boolean],
  ['contains', plainSchema, 6],
  ['const', any, 6],
  ['enum', enumeration],
  ['oneOf', schemas],
  ['anyOf', schemas],
  ['allOf', schemas],
  ['not', object],
  ['if', object, 7],
  ['then', object, 7],
  ['else', object, 7],
]

const SINCE: ReadonlyMap<string, number> = new Map(
  KEYWORDS.map(([name, , since = 4]) => [name, since]),
)

/** Whether a draft has a keyword; a schema may have it all the same, and means nothing by it. */
export const isKeywordOf = (draft: Draft, name: string): boolean =>
  draft === 'any' || draft >= (SINCE.get(name) ?? 4)

import { BuiltinError } from '../../errors.ts'
import { isArray, isObject, MAX_DEPTH, type ObjectValue, type Value } from '../../values/value.ts'
import type { BuiltinContext } from '../builtin.ts'
import { compileRegex } from '../regex.ts'

const TYPES = ['array', 'boolean', 'integer', 'number', 'null', 'object', 'string']

/** Members that are schemas, or arrays or objects of schemas. */
const ONE = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'items',
]
const MANY = ['allOf', 'anyOf', 'oneOf', 'items']
const NAMED = ['properties', 'patternProperties', 'definitions', '$defs', 'dependencies']

const invalid = (message: string): BuiltinError => new BuiltinError(message)

function checkType(type: Value): void {
  for (const name of isArray(type) ? type : [type]) {
    if (typeof name !== 'string' || !TYPES.includes(name)) {
      const given = typeof name === 'string' ? name : String(name)
      throw invalid(
        `has a primitive type that is NOT VALID -- given: /${given}/ Expected valid values are:[${TYPES.join(' ')}]`,
      )
    }
  }
}

const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties']
const NUMBERS = ['minimum', 'maximum', 'multipleOf']

function checkNumbers(schema: ObjectValue): void {
  for (const name of [...COUNTS, ...NUMBERS]) {
    const value = schema.get(name)
    if (value === undefined) continue
    const isNumber = typeof value === 'number' || typeof value === 'bigint'
    if (!isNumber)
      throw invalid(`${name} must be of type ${COUNTS.includes(name) ? 'integer' : 'number'}`)
    if (COUNTS.includes(name) && (!Number.isInteger(Number(value)) || value < 0)) {
      throw invalid(`${name} must be an integer greater than or equal to 0`)
    }
    if (name === 'multipleOf' && value <= 0)
      throw invalid('multipleOf must be strictly greater than 0')
  }
}

/**
 * Checks that a value is a supported schema (draft 4 to 7).
 *
 * @throws BuiltinError with the error
 */
export function checkSchema(ctx: BuiltinContext, schema: Value, depth = 0): void {
  ctx.meter.charge(4)
  if (typeof schema === 'boolean') return
  if (!isObject(schema)) throw invalid('schema is invalid')
  if (depth > MAX_DEPTH) throw invalid('schema nests too deeply')
  const type = schema.get('type')
  if (type !== undefined) checkType(type)
  checkNumbers(schema)
  const required = schema.get('required')
  if (
    required !== undefined &&
    !(isArray(required) && required.every((x) => typeof x === 'string'))
  ) {
    throw invalid('required must be of type array of strings')
  }
  const values = schema.get('enum')
  if (values !== undefined && !isArray(values)) throw invalid('enum must be of type array')
  const pattern = schema.get('pattern')
  if (pattern !== undefined) {
    if (typeof pattern !== 'string') throw invalid('pattern must be of type string')
    compileRegex(ctx, pattern)
  }
  const ref = schema.get('$ref')
  if (ref !== undefined && (typeof ref !== 'string' || !ref.startsWith('#'))) {
    throw invalid(`remote references are not allowed: ${typeof ref === 'string' ? ref : ''}`)
  }
  checkMembers(ctx, schema, depth)
}

function checkMembers(ctx: BuiltinContext, schema: ObjectValue, depth: number): void {
  for (const name of ONE) {
    const value = schema.get(name)
    if (value !== undefined && !(name === 'items' && isArray(value)))
      checkSchema(ctx, value, depth + 1)
  }
  for (const name of MANY) {
    const value = schema.get(name)
    if (value === undefined || (name === 'items' && !isArray(value))) continue
    if (!isArray(value)) throw invalid(`${name} must be of type array`)
    for (const item of value) checkSchema(ctx, item, depth + 1)
  }
  for (const name of NAMED) {
    const value = schema.get(name)
    if (value === undefined) continue
    if (!isObject(value)) throw invalid(`${name} must be of type object`)
    for (const [key, item] of value.entries()) {
      if (name === 'patternProperties') compileRegex(ctx, String(key))
      if (name === 'dependencies' && isArray(item)) continue
      checkSchema(ctx, item, depth + 1)
    }
  }
}

/** Resolves a reference such as `#/definitions/x` within the schema. */
export function resolve(root: Value, ref: string): Value {
  let value: Value | undefined = root
  for (const part of ref.replace(/^#\/?/, '').split('/')) {
    if (part === '') continue
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (value !== undefined && isObject(value)) value = value.get(key)
    else if (value !== undefined && isArray(value)) value = value[Number(key)]
    else value = undefined
  }
  if (value === undefined) throw invalid(`reference ${ref} must be canonical`)
  return value
}

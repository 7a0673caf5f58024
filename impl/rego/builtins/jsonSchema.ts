import { BuiltinError } from '../errors.ts'
import { fromJson, stringify, toJson } from '../values/json.ts'
import { RegoObject } from '../values/object.ts'
import { isObject, type Value } from '../values/value.ts'
import { type Builtin, type BuiltinContext, cached } from './builtin.ts'
import { readJson } from './json.ts'
import type { Problem } from './jsonSchema/scalars.ts'
import { checkSchema, type Schema } from './jsonSchema/schema.ts'
import { validate } from './jsonSchema/validate.ts'
import { ANY_OBJECT, arrayOf, BOOLEAN, NULL, record, STRING, tuple, union } from './types.ts'

/** A document given as JSON text or as an object. */
function documentOf(ctx: BuiltinContext, value: Value): Value {
  // Sets are arrays in JSON.
  if (isObject(value)) return fromJson(toJson(value))
  if (typeof value !== 'string') throw new BuiltinError('wrong type, expected string or object')
  try {
    return readJson(ctx, value)
  } catch (error) {
    if (!(error instanceof BuiltinError)) throw error
    throw new BuiltinError('invalid JSON string', undefined, { cause: error })
  }
}

/** Of schemas that are kept for other evaluations. */
const MAX_CACHED_LENGTH = 100_000

function schemaOf(ctx: BuiltinContext, value: Value): Schema {
  const key = typeof value === 'string' ? value : stringify(value)
  ctx.meter.charge(key.length / 16)
  const make = (): Schema => checkSchema(ctx, documentOf(ctx, value))
  return key.length > MAX_CACHED_LENGTH ? make() : cached(ctx, 'jsonSchema', key, make)
}

const describe = ({ field, type, desc }: Problem): Value =>
  RegoObject.from([
    ['error', `${field}: ${desc}`],
    ['type', type],
    ['field', field],
    ['desc', desc],
  ])

function match(ctx: BuiltinContext, a: Value, b: Value): Value {
  const document = documentOf(ctx, a)
  const problems = validate(ctx, schemaOf(ctx, b), document)
  return [problems.length === 0, problems.map(describe)]
}

function verify(ctx: BuiltinContext, a: Value): Value {
  try {
    schemaOf(ctx, a)
    return [true, null]
  } catch (error) {
    if (!(error instanceof BuiltinError) || error.code !== 'eval_builtin_error') throw error
    return [false, `jsonschema: ${error.message}`]
  }
}

const TEXT_OR_OBJECT = union(STRING, ANY_OBJECT)
const PROBLEM = record({ error: STRING, type: STRING, field: STRING, desc: STRING })

export const jsonSchemaBuiltins: readonly Builtin[] = [
  {
    name: 'json.match_schema',
    args: [TEXT_OR_OBJECT, TEXT_OR_OBJECT],
    result: tuple(BOOLEAN, arrayOf(PROBLEM)),
    call: match,
  },
  {
    name: 'json.verify_schema',
    args: [TEXT_OR_OBJECT],
    result: tuple(BOOLEAN, union(NULL, STRING)),
    call: verify,
  },
]

import { Ajv, type Options, type ValidateFunction } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** Text of a schema document, in UTF-8. */
const maxSchemaBytes = 64 * 1024

/** A JSON object. */
export type UntrustedSchema = Readonly<Record<string, unknown>>

/** Of which the values are no schemas. */
const dataKeywords = new Set(['const', 'enum', 'default', 'examples', 'required', '$comment'])
/** Of which the values are schemas by name. */
const schemasByName = new Set([
  'properties',
  'patternProperties',
  'dependencies',
  'dependentSchemas',
  'definitions',
  '$defs',
])
const references = new Set(['$ref', '$dynamicRef', '$recursiveRef', '$id', '$anchor'])

/**
 * Reads a schema document.
 *
 * @throws Error saying what the document is not
 */
export function parseUntrustedSchema(text: string): UntrustedSchema {
  if (Buffer.byteLength(text) > maxSchemaBytes)
    throw new Error(`is larger than ${maxSchemaBytes} bytes`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error('is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('is not a JSON object')
  return value as UntrustedSchema
}

/**
 * Compiles a schema that a stranger wrote, with a validator of its own: nothing of one schema is seen
 * by the next. Other documents are not loaded. Patterns and references may never end: to be called in
 * a thread that can be ended.
 *
 * @throws Error saying why the schema cannot be used
 */
export function compileUntrustedSchema(
  schema: UntrustedSchema,
  { formats, allErrors }: { readonly formats: boolean; readonly allErrors: boolean },
): (value: unknown) => ValidateFunction['errors'] {
  refuseUnsafe(schema)
  const { $schema, ...rest } = schema
  const dialect = typeof $schema === 'string' ? $schema : ''
  const options: Options = { strict: false, ownProperties: true, allErrors, logger: false }
  const ajv = dialect.includes('2020-12')
    ? new Ajv2020(options)
    : dialect.includes('2019-09')
      ? new Ajv2019(options)
      : new Ajv(options)
  if (formats) addFormats.default(ajv)
  const validate = ajv.compile(rest)
  return (value) => {
    const fits: unknown = validate(value)
    if (typeof fits !== 'boolean') throw new Error('it does not decide at once')
    return fits ? null : (validate.errors ?? [])
  }
}

/**
 * Refuses what is no part of JSON Schema and means something to the validator: `$async` makes it
 * answer with a promise, whose rejection nobody handles, and names of `Object.prototype` are looked up
 * there. Without recursion: a schema may be nested as deep as its size allows.
 */
function refuseUnsafe(root: UntrustedSchema): void {
  const todo: unknown[] = [root]
  while (todo.length > 0) {
    const node = todo.pop()
    if (Array.isArray(node)) todo.push(...node)
    else if (typeof node === 'object' && node !== null) {
      for (const [keyword, value] of Object.entries(node)) {
        refuseKeyword(keyword, value)
        if (dataKeywords.has(keyword)) continue
        if (schemasByName.has(keyword)) todo.push(...named(value))
        else todo.push(value)
      }
    }
  }
}

function refuseKeyword(keyword: string, value: unknown): void {
  if (keyword === '$async') throw new Error('$async is no keyword of JSON Schema')
  if (keyword === '__proto__') throw new Error('__proto__ is no keyword of JSON Schema')
  if (!references.has(keyword) || typeof value !== 'string') return
  const name = value.slice(value.lastIndexOf('/') + 1).replace(/^#|#$/g, '')
  if (name in Object.prototype) throw new Error(`${keyword} must not be ${name}`)
}

/** The validator passes over a property called `__proto__`, whatever its schema says. */
function named(schemas: unknown): readonly unknown[] {
  if (typeof schemas !== 'object' || schemas === null) return []
  if (Object.hasOwn(schemas, '__proto__')) throw new Error('a name must not be __proto__')
  return Object.values(schemas)
}

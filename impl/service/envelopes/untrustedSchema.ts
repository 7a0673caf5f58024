import { Ajv, type Options, type ValidateFunction } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** Text of a schema document, in UTF-8. */
const maxSchemaBytes = 64 * 1024

/** A JSON object. */
export type UntrustedSchema = Readonly<Record<string, unknown>>

/** Keywords whose values are not schemas. */
const dataKeywords = new Set(['const', 'enum', 'default', 'examples', 'required', '$comment'])
/** Keywords whose values are schemas by name. */
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
 * Parses a schema document.
 *
 * @throws Error with the reason if it is invalid
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
 * Compiles an untrusted schema with a separate validator, so that schemas cannot affect each other.
 * Other documents are not loaded. Patterns and references may not terminate: call it in a thread
 * that can be ended.
 *
 * @throws Error with the reason if the schema is unusable
 */
export function compileUntrustedSchema(
  schema: UntrustedSchema,
  { formats, allErrors }: { readonly formats: boolean; readonly allErrors: boolean },
): (value: unknown) => ValidateFunction['errors'] {
  refuseUnsafe(schema)
  const { $schema, ...rest } = schema
  const Dialect = dialectOf($schema)
  const options: Options = {
    ...{ strict: false, ownProperties: true, allErrors, logger: false },
    code: { regExp: watchedPattern },
  }
  const create = (more: Options = {}) => {
    const ajv = new Dialect({ ...options, ...more })
    if (formats) addFormats.default(ajv)
    return ajv
  }
  const kind = `${Dialect.name} ${formats} ${allErrors}`
  const meta = metaValidators.get(kind) ?? create()
  metaValidators.set(kind, meta)
  meta.validateSchema(rest, true)
  const validate = create({ validateSchema: false }).compile(rest)
  return (value) => {
    const fits: unknown = validate(value)
    if (typeof fits !== 'boolean') throw new Error('it does not validate synchronously')
    // A validator may be kept, and its errors name members of what it has validated.
    const { errors } = validate
    validate.errors = null
    return fits ? null : (errors ?? [])
  }
}

let watch: (pattern: string | undefined) => void = () => {}

/** Calls `onPattern` before each test of a pattern in this thread, and with undefined after it. */
export function watchPatterns(onPattern: typeof watch): void {
  watch = onPattern
}

const watchedPattern = Object.assign(
  (pattern: string, flags: string) => {
    const expression = new RegExp(pattern, flags)
    return {
      test(text: string): boolean {
        watch(pattern)
        try {
          return expression.test(text)
        } finally {
          watch(undefined)
        }
      },
      // The validator keeps one expression for each text.
      toString: () => String(expression),
    }
  },
  // Of generated sources, which nothing writes.
  { code: 'watchedPattern' },
)

/**
 * The formats of a schema document that no validator knows, sorted: they restrict nothing.
 *
 * @throws Error with the reason if it is not a schema
 */
export function unknownFormats(text: string): readonly string[] {
  const { formats } = addFormats.default(new Ajv({ logger: false }))
  const all = [...keywordsOf(parseUntrustedSchema(text))].flatMap(([keyword, value]) =>
    keyword === 'format' && typeof value === 'string' ? value : [],
  )
  return [...new Set(all)].filter((format) => !Object.hasOwn(formats, format)).sort()
}

function dialectOf($schema: unknown) {
  const dialect = typeof $schema === 'string' ? $schema : ''
  if (dialect.includes('2020-12')) return Ajv2020
  return dialect.includes('2019-09') ? Ajv2019 : Ajv
}

/**
 * Validate schemas against the schema of their dialect, which takes 20 ms to compile. They compile
 * nothing else and keep no schema, so that one cannot affect the next.
 */
const metaValidators = new Map<string, Ajv>()

/**
 * Rejects constructs that are not JSON Schema but have an effect in the validator: `$async` makes
 * it return a promise, whose rejection is unhandled, and names of `Object.prototype` are looked up
 * there.
 */
function refuseUnsafe(root: UntrustedSchema): void {
  for (const [keyword, value] of keywordsOf(root)) refuseKeyword(keyword, value)
}

/** Of the schema and of those inside of it. Iterative, because a schema may be nested as deeply as its size allows. */
function* keywordsOf(root: UntrustedSchema): Generator<readonly [string, unknown]> {
  const todo: unknown[] = [root]
  while (todo.length > 0) {
    const node = todo.pop()
    if (Array.isArray(node)) todo.push(...node)
    else if (typeof node === 'object' && node !== null) {
      for (const [keyword, value] of Object.entries(node)) {
        yield [keyword, value]
        if (dataKeywords.has(keyword)) continue
        if (schemasByName.has(keyword)) todo.push(...named(value))
        else todo.push(value)
      }
    }
  }
}

function refuseKeyword(keyword: string, value: unknown): void {
  if (keyword === '$async') throw new Error('$async is not a JSON Schema keyword')
  if (keyword === '__proto__') throw new Error('__proto__ is not a JSON Schema keyword')
  if (!references.has(keyword) || typeof value !== 'string') return
  const name = value.slice(value.lastIndexOf('/') + 1).replace(/^#|#$/g, '')
  if (name in Object.prototype) throw new Error(`${keyword} must not be ${name}`)
}

/** The validator ignores a property called `__proto__`, whatever its schema is. */
function named(schemas: unknown): readonly unknown[] {
  if (typeof schemas !== 'object' || schemas === null) return []
  if (Object.hasOwn(schemas, '__proto__')) throw new Error('a name must not be __proto__')
  return Object.values(schemas)
}

import { Ajv, type ErrorObject, type Options } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { errorCode } from '../protocol/jsonRpc.ts'
import { ServiceError } from '../protocol/serviceError.ts'
import { declaredNames } from './declaredNames.ts'

/** Text of a schema document, in UTF-8. */
export const maxSchemaBytes = 64 * 1024
const maxErrors = 10
/** Of one detail: a schema may say things as long as itself, such as a pattern. */
const maxDetail = 200

/** -32620 inside, a result with `success: false` outside; `details` never hold a secret (section 7.3). */
export const uploadRefused = (details: string, cause?: unknown) =>
  new ServiceError(`Secrets upload validation failed: ${details}`, {
    code: errorCode.dataProvider,
    clause: 'section 2.7',
    hint: 'Compare the names and values of the secrets with the schema of the PolicyData.',
    cause,
  })

/**
 * What is wrong with secrets under the schema of their oracle, undefined when nothing is. Both are
 * JSON text. A schema comes from whoever deployed the oracle, and its patterns and references may
 * never end: to be called in a thread that can.
 *
 * The details name rules of the schema and members that it declares. Values are secrets, and so may
 * be the name of a member that nobody expected.
 */
export function secretsProblem(schemaText: string, secretsText: string): string | undefined {
  const schema = parsedSchema(schemaText)
  if (typeof schema === 'string') return schema
  let validate: ReturnType<Ajv['compile']>
  try {
    validate = compiled(schema)
  } catch (error) {
    return `the secrets schema cannot be used: ${short(String((error as Error).message))}`
  }
  try {
    if (validate(JSON.parse(secretsText))) return undefined
  } catch {
    // The error of a validator may hold what it was looking at.
    return 'the secrets schema cannot be used'
  }
  const known = declaredNames(schema)
  const details = (validate.errors ?? []).map((error) => detailOf(error, known))
  return [...new Set(details)].slice(0, maxErrors).join('; ')
}

type Schema = Readonly<Record<string, unknown>>

function parsedSchema(text: string): Schema | string {
  if (Buffer.byteLength(text) > maxSchemaBytes)
    return `the secrets schema is larger than ${maxSchemaBytes} bytes`
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'the secrets schema is not JSON'
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Schema)
    : 'the secrets schema is not a JSON object'
}

/** Without a way to load other schemas: a reference to elsewhere is an error. */
function compiled(schema: Schema) {
  const { $schema, ...rest } = schema
  const dialect = typeof $schema === 'string' ? $schema : ''
  const options: Options = { strict: false, allErrors: true, logger: false }
  const ajv = dialect.includes('2020-12')
    ? new Ajv2020(options)
    : dialect.includes('2019-09')
      ? new Ajv2019(options)
      : new Ajv(options)
  addFormats.default(ajv)
  return ajv.compile(rest)
}

function detailOf(error: ErrorObject, known: ReadonlySet<string>): string {
  const path = error.instancePath.slice(1).split('/')
  const name = path.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')).join('.')
  const at = name === '' ? 'secrets' : known.has(name) ? name : 'a member'
  return short(`${at} ${error.message ?? 'is not valid'}`)
}

const short = (text: string): string =>
  text.length > maxDetail ? `${text.slice(0, maxDetail)}...` : text

import type { ErrorObject } from 'ajv'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { declaredNames } from './declaredNames.ts'
import {
  compileUntrustedSchema,
  parseUntrustedSchema,
  type UntrustedSchema,
} from './untrustedSchema.ts'

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
  let schema: UntrustedSchema
  try {
    schema = parseUntrustedSchema(schemaText)
  } catch (error) {
    return `the secrets schema ${(error as Error).message}`
  }
  let errorsOf: ReturnType<typeof compileUntrustedSchema>
  try {
    errorsOf = compileUntrustedSchema(schema, { formats: true, allErrors: true })
  } catch (error) {
    return `the secrets schema cannot be used: ${short(String((error as Error).message))}`
  }
  let errors: ReturnType<typeof errorsOf>
  try {
    errors = errorsOf(JSON.parse(secretsText))
  } catch {
    // The error of a validator may hold what it was looking at.
    return 'the secrets schema cannot be used'
  }
  if (!errors) return undefined
  const known = declaredNames(schema)
  const details = errors.map((error) => detailOf(error, known))
  return [...new Set(details)].slice(0, maxErrors).join('; ')
}

function detailOf(error: ErrorObject, known: ReadonlySet<string>): string {
  const path = error.instancePath.slice(1).split('/')
  const name = path.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')).join('.')
  const at = name === '' ? 'secrets' : known.has(name) ? name : 'a member'
  return short(`${at} ${error.message ?? 'is not valid'}`)
}

const short = (text: string): string =>
  text.length > maxDetail ? `${text.slice(0, maxDetail)}...` : text

import type { ErrorObject } from 'ajv'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import {
  compileUntrustedSchema,
  parseUntrustedSchema,
  type UntrustedSchema,
} from './untrustedSchema.ts'

/**
 * All member names in `properties` and `required` of a JSON Schema, at any depth. Iterative,
 * because a schema may be nested as deeply as its size allows.
 */
function declaredNames(schema: unknown): ReadonlySet<string> {
  const names = new Set<string>()
  const todo: unknown[] = [schema]
  while (todo.length > 0) {
    const part = todo.pop()
    if (typeof part !== 'object' || part === null) continue
    const { properties, required } = part as Record<string, unknown>
    if (typeof properties === 'object' && properties !== null)
      for (const name of Object.keys(properties)) names.add(name)
    if (Array.isArray(required))
      for (const name of required) if (typeof name === 'string') names.add(name)
    for (const child of Object.values(part)) todo.push(child)
  }
  return names
}

const maxErrors = 10
/** Maximum length of one detail, which may contain a long value of the schema such as a pattern. */
const maxDetail = 200

/**
 * -32620 internally, a result with `success: false` externally; `details` never contain a secret
 * (section 7.3).
 */
export const uploadRefused = (details: string, cause?: unknown) =>
  new ServiceError(`Secrets upload validation failed: ${details}`, {
    code: errorCode.dataProvider,
    clause: 'section 2.7',
    hint: 'Compare the names and values of the secrets with the schema of the PolicyData.',
    cause,
  })

/**
 * The errors of secrets under the schema of their oracle; undefined if valid. Both are JSON text. A
 * schema is untrusted, and its patterns and references may not terminate: call it in a thread that
 * can be ended.
 *
 * The details contain rules of the schema and members that it declares. Values are secrets, and so
 * may be the name of an undeclared member.
 */
export function secretsProblem(schemaText: string, secretsText: string): string | undefined {
  const compiled = compiledSchema(schemaText)
  if ('problem' in compiled) return compiled.problem
  const { schema, errorsOf } = compiled
  let errors: ReturnType<typeof errorsOf>
  try {
    errors = errorsOf(JSON.parse(secretsText))
  } catch {
    // A validator's error may contain the validated value.
    return 'the secrets schema cannot be used'
  }
  if (!errors) return undefined
  const known = declaredNames(schema)
  const details = errors.map((error) => detailOf(error, known))
  return [...new Set(details)].slice(0, maxErrors).join('; ')
}

type CompiledSchema = {
  readonly schema: UntrustedSchema
  readonly errorsOf: ReturnType<typeof compileUntrustedSchema>
}

/** Compiling takes ten times as long as validating, and most uploads are for the same oracles. */
const compiledSchemas = new Map<string, CompiledSchema>()
/** Of 64 KiB at most. */
const maxCompiled = 32

function compiledSchema(text: string): CompiledSchema | { readonly problem: string } {
  const known = compiledSchemas.get(text)
  if (known !== undefined) return known
  let schema: UntrustedSchema
  try {
    schema = parseUntrustedSchema(text)
  } catch (error) {
    return { problem: `the secrets schema ${(error as Error).message}` }
  }
  try {
    const errorsOf = compileUntrustedSchema(schema, { formats: true, allErrors: true })
    if (compiledSchemas.size >= maxCompiled) compiledSchemas.clear()
    const compiled = { schema, errorsOf }
    compiledSchemas.set(text, compiled)
    return compiled
  } catch (error) {
    return {
      problem: `the secrets schema cannot be used: ${short(String((error as Error).message))}`,
    }
  }
}

function detailOf(error: ErrorObject, known: ReadonlySet<string>): string {
  const path = error.instancePath.slice(1).split('/')
  const name = path.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')).join('.')
  const at = name === '' ? 'secrets' : known.has(name) ? name : 'a member'
  return short(`${at} ${error.message ?? 'is not valid'}`)
}

const short = (text: string): string =>
  text.length > maxDetail ? `${text.slice(0, maxDetail)}...` : text

import { type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema'

/**
 * Why parameters do not match the schema of their policy; undefined if they do. Both are JSON text.
 * The schema is untrusted, and its patterns may not terminate: call it in a worker.
 */
export function paramsProblem(params: string, schema: string | null): string | undefined {
  if (schema === null) return undefined
  let parsed: unknown
  try {
    parsed = JSON.parse(schema)
  } catch {
    return 'the schema of the policy params is not JSON'
  }
  if (typeof parsed !== 'object' || parsed === null)
    return 'the schema of the policy params cannot be used'
  try {
    const { valid, errors } = new Validator(parsed as Schema, draftOf(parsed)).validate(
      JSON.parse(params),
    )
    if (valid) return undefined
    // The innermost one says which member it is.
    const error = errors.at(-1)
    const member = (error?.instanceLocation ?? '#').slice(2).replaceAll('/', '.')
    return `policy params do not match their schema: ${member === '' ? 'params' : member}: ${error?.error ?? 'invalid'}`
  } catch {
    return 'the schema of the policy params cannot be used'
  }
}

function draftOf(schema: object): SchemaDraft {
  const id = String((schema as { $schema?: unknown }).$schema ?? '')
  if (id.includes('2019-09')) return '2019-09'
  return id.includes('2020-12') ? '2020-12' : '7'
}

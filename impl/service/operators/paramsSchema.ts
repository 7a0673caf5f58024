import type { ErrorObject } from 'ajv'
import { compileUntrustedSchema, parseUntrustedSchema } from '../envelopes/untrustedSchema.ts'
import { PolicyError } from './policyError.ts'

const maxKept = 100

/**
 * Validates parameters as JSON, and against the policy's schema if there is one (decision R8).
 * Schemas are untrusted, and their patterns may not terminate: call it in a thread that can be
 * ended.
 *
 * @throws PolicyError with the member, never its value
 */
export type ParamsCheck = (params: string, schema: string | null) => void

type Validator = ReturnType<typeof compileUntrustedSchema>

export function createParamsCheck(): ParamsCheck {
  const validators = new Map<string, Validator>()
  /** Parameters change rarely: valid ones are cached. */
  const fitted = new Set<string>()

  return (params, schema) => {
    const known = `${schema} ${params}`
    if (fitted.has(known)) return
    const value = parsed(params)
    if (schema !== null) {
      if (validators.size >= maxKept) validators.clear()
      const errorsOf = validators.get(schema) ?? compiled(schema)
      validators.set(schema, errorsOf)
      const errors = errorsIn(errorsOf, value)
      if (errors) throw new PolicyError(problemOf(errors[0] ?? {}))
    }
    if (fitted.size >= maxKept) fitted.clear()
    fitted.add(known)
  }
}

function problemOf({ instancePath = '', message = 'is not valid' }: Partial<ErrorObject>): string {
  const member = instancePath.slice(1).replaceAll('/', '.')
  return `policy params do not match their schema: ${member === '' ? 'params' : member} ${message}`
}

/** Infinite references overflow the validator's stack. */
function errorsIn(errorsOf: Validator, value: unknown): ReturnType<Validator> {
  try {
    return errorsOf(value)
  } catch (cause) {
    throw new PolicyError('the schema of the policy params cannot be used', { cause })
  }
}

function parsed(params: string): unknown {
  try {
    return JSON.parse(params)
  } catch {
    throw new PolicyError('policy params are not JSON')
  }
}

function compiled(text: string): Validator {
  try {
    const schema = parseUntrustedSchema(text)
    return compileUntrustedSchema(schema, { formats: false, allErrors: false })
  } catch (cause) {
    throw new PolicyError('the schema of the policy params cannot be used', { cause })
  }
}

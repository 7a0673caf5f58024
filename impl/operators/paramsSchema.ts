import { Ajv, type ValidateFunction } from 'ajv'
import { PolicyError } from './policyError.ts'

const maxSchemaBytes = 64 * 1024
const maxKept = 100

/**
 * Checks that parameters are JSON that fits the policy's schema, where there is one (decision R8).
 * A schema is a stranger's, and its patterns may never end: to be called in a thread that can.
 *
 * @throws PolicyError naming the member, never its value
 */
export type ParamsCheck = (params: string, schema: string | null) => void

export function createParamsCheck(): ParamsCheck {
  const validators = new Map<string, ValidateFunction>()
  /** Parameters change seldom: those that fitted are not looked at again. */
  const fitted = new Set<string>()

  return (params, schema) => {
    const known = `${schema} ${params}`
    if (fitted.has(known)) return
    const value = parsed(params)
    if (schema !== null) {
      if (validators.size >= maxKept) validators.clear()
      const validate = validators.get(schema) ?? compiled(schema)
      validators.set(schema, validate)
      if (!validate(value)) throw new PolicyError(problemOf(validate))
    }
    if (fitted.size >= maxKept) fitted.clear()
    fitted.add(known)
  }
}

function problemOf({ errors }: ValidateFunction): string {
  const { instancePath = '', message = 'is not valid' } = errors?.[0] ?? {}
  const member = instancePath.slice(1).replaceAll('/', '.')
  return `policy params do not fit their schema: ${member === '' ? 'params' : member} ${message}`
}

function parsed(params: string): unknown {
  try {
    return JSON.parse(params)
  } catch {
    throw new PolicyError('policy params are not JSON')
  }
}

function compiled(text: string): ValidateFunction {
  try {
    if (text.length > maxSchemaBytes) throw new RangeError('too large')
    const { $schema: _, ...schema } = JSON.parse(text) as Record<string, unknown>
    return new Ajv({ strict: false, logger: false }).compile(schema)
  } catch (cause) {
    throw new PolicyError('the schema of the policy params cannot be used', { cause })
  }
}

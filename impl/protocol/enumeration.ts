import type { TSchema } from '@sinclair/typebox'
import type { ErrorObject } from 'ajv'

/** Maximum length of a wrong value in an error. */
const longestShown = 64

/**
 * The values that a schema allows at the location of an error, if it lists any: an `enum`, or a
 * TypeBox union of constants. ajv reports only the first branch of such a union; callers need all
 * of them.
 *
 * @param errors all errors of the validation, from a validator with `verbose: true`
 */
export function allowedValues(
  error: ErrorObject,
  errors: readonly ErrorObject[],
): readonly unknown[] | undefined {
  if (error.keyword === 'enum') return (error.schema as readonly unknown[]) ?? []
  const here = errors.filter(({ instancePath }) => instancePath === error.instancePath)
  for (const { keyword, schema } of here) {
    if (keyword === 'anyOf' && isConstants(schema)) return schema.map(({ const: value }) => value)
  }
  if (error.keyword !== 'const') return undefined
  return discriminants(error, errors) ?? [error.schema]
}

/** The allowed values of the discriminating member of a union. */
function discriminants(
  { instancePath }: ErrorObject,
  errors: readonly ErrorObject[],
): readonly unknown[] | undefined {
  const end = instancePath.lastIndexOf('/')
  const [holder, member] = [instancePath.slice(0, end), instancePath.slice(end + 1)]
  const union = errors.find((other) => other.keyword === 'anyOf' && other.instancePath === holder)
  const branches = (union?.schema ?? []) as readonly TSchema[]
  const constants = branches.flatMap(({ properties }) => {
    const schema: TSchema | undefined = properties?.[member]
    return schema !== undefined && 'const' in schema ? [schema.const as unknown] : []
  })
  return constants.length === 0 ? undefined : [...new Set(constants)]
}

const isConstants = (schema: unknown): schema is readonly { const: unknown }[] =>
  Array.isArray(schema) &&
  schema.every((branch) => typeof branch === 'object' && branch !== null && 'const' in branch)

/** `must be one of a, b, not "c"`; a long wrong value is truncated. */
export const mustBeOneOf = (allowed: readonly unknown[], value: unknown): string =>
  `must be one of ${allowed.map(String).join(', ')}, not ${shown(value)}`

function shown(value: unknown): string {
  if (typeof value === 'string') {
    const text = value.length > longestShown ? `${value.slice(0, longestShown)}...` : value
    return JSON.stringify(text)
  }
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value).slice(0, longestShown)
}

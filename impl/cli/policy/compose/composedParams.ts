import { parseExact, stringifyExact } from 'polgate-protocol/exactJson.ts'
import type { ComposedPart } from './composedPolicy.ts'

/** The parameters of every policy below its namespace; absent if none has any. */
export function composedParams(parts: readonly ComposedPart[]): string | undefined {
  const own = parts.flatMap(({ given: { params }, namespace }) =>
    params === undefined ? [] : [[namespace, parseExact(params.text)] as const],
  )
  return own.length === 0 ? undefined : stringifyExact(Object.fromEntries(own))
}

/** The JSON Schema of these parameters; absent if no policy has one. */
export function composedParamsSchema(parts: readonly ComposedPart[]): string | undefined {
  const own = parts.flatMap(({ given: { paramsSchema, params }, namespace }) => {
    if (paramsSchema === undefined) return []
    const schema = relocated(parseExact(paramsSchema.text), `#/properties/${namespace}`)
    return [{ namespace, schema, required: params !== undefined }]
  })
  if (own.length === 0) return undefined
  return stringifyExact({
    type: 'object',
    properties: Object.fromEntries(own.map(({ namespace, schema }) => [namespace, schema])),
    required: own.filter(({ required }) => required).map(({ namespace }) => namespace),
  })
}

/** A schema whose references to itself hold where it is now part of another one. */
function relocated(schema: unknown, place: string): unknown {
  if (Array.isArray(schema)) return schema.map((each) => relocated(each, place))
  if (typeof schema !== 'object' || schema === null) return schema
  // A schema with a name of its own is the root of its references.
  if (Object.hasOwn(schema, '$id')) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) =>
      name === '$ref' && typeof value === 'string' && value.startsWith('#')
        ? [name, `${place}${value.slice(1)}`]
        : [name, relocated(value, place)],
    ),
  )
}

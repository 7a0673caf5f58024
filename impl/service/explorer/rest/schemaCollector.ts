type Json = Record<string, unknown>

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Shortens `anyOf` of constants to `enum`, and `anyOf` of a type and null to a list of types. */
function simplified(schema: Json): Json {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || !anyOf.every(isRecord)) return schema
  if (anyOf.every((each) => 'const' in each))
    return { ...rest, type: 'string', enum: anyOf.map((each) => each.const) }
  const [first, second] = anyOf
  if (anyOf.length === 2 && second?.type === 'null' && typeof first?.type === 'string') {
    const { enum: values, ...plain } = first
    return {
      ...rest,
      ...plain,
      type: [first.type, 'null'],
      ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
    }
  }
  return schema
}

/**
 * Converts schemas to those of an OpenAPI document: named schemas move to the components and are
 * replaced by references.
 */
export function schemaCollector() {
  const schemas: Json = {}
  const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  const collect = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(collect)
    if (!isRecord(value)) return value
    if (typeof value.$ref === 'string') return reference(value.$ref)
    const { $id, ...rest } = value
    const copy = simplified(
      Object.fromEntries(Object.entries(rest).map(([key, member]) => [key, collect(member)])),
    )
    if (typeof $id !== 'string') return copy
    schemas[$id] = copy
    return reference($id)
  }
  return { schemas, collect }
}

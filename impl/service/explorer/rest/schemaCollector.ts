type Json = Record<string, unknown>

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `anyOf` of constants is what `enum` says shorter; of a type and null, a list of types. */
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
 * Turns schemas into those of an OpenAPI document: each with a name moves to the components, and a
 * reference stays in its place.
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

/** A JSON Schema of the service's self-descriptions. */
export type Schema = Readonly<Record<string, unknown>>

/** Keywords that restrict values, or describe them, without changing their TypeScript type. */
const silent = new Set(
  ['description', 'examples', 'default', 'format', 'pattern', 'minimum', 'maximum', 'minLength']
    .concat(['maxLength', 'exclusiveMinimum', 'minItems', 'maxItems', 'minProperties'])
    .concat(['maxProperties', 'additionalItems', 'x-bare-hex', 'x-content-id']),
)

/** Keywords that `typeOfSchema` translates. */
const spoken = new Set(
  ['type', 'const', 'anyOf', '$ref', 'properties', 'required', 'items', 'patternProperties'].concat(
    ['additionalProperties', 'enum'],
  ),
)

const indented = (text: string) => text.replaceAll('\n', '\n  ')

const comment = (schema: Schema): string =>
  typeof schema.description === 'string'
    ? `/** ${schema.description.replaceAll('*/', '* /')} */\n`
    : ''

function objectType(schema: Schema): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  const patterns = Object.values((schema.patternProperties ?? {}) as Record<string, Schema>)
  if (patterns.length > 0) return `Readonly<Record<string, ${typeOfSchema(patterns[0]!)}>>`
  if (properties.length === 0) return 'Readonly<Record<string, unknown>>'
  const required = new Set((schema.required ?? []) as readonly string[])
  const members = properties.map(([name, member]) => {
    const type = typeOfSchema(member)
    const declared = required.has(name)
      ? `: ${type}`
      : `?: ${type}${type === 'unknown' ? '' : ' | undefined'}`
    return `${comment(member)}readonly ${JSON.stringify(name).slice(1, -1)}${declared}`
  })
  return `{\n  ${indented(members.join('\n'))}\n}`
}

function arrayType(schema: Schema): string {
  const { items } = schema
  if (Array.isArray(items)) return `readonly [${items.map(typeOfSchema).join(', ')}]`
  const item = items === undefined ? 'unknown' : typeOfSchema(items as Schema)
  return /^readonly | \| /.test(item) ? `readonly (${item})[]` : `readonly ${item}[]`
}

/** Hex with a required prefix is a template type; where the prefix is optional it is any string. */
const stringType = ({ pattern }: Schema): string =>
  typeof pattern === 'string' && /^\^0x(?!\))/.test(pattern) ? 'Hex' : 'string'

const literal = (value: unknown) =>
  typeof value === 'string' ? `'${value}'` : JSON.stringify(value)

const plain: Readonly<Record<string, string>> = {
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

/**
 * The TypeScript type of a schema. References become the names of the types.
 *
 * @throws Error for a keyword or a type that it does not know, so that no type is wrong by omission
 */
export function typeOfSchema(schema: Schema): string {
  const unknown = Object.keys(schema).filter((key) => !silent.has(key) && !spoken.has(key))
  if (unknown.length > 0) throw new Error(`schema keyword ${unknown.join(', ')} is not supported`)
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1)!
  if (schema.const !== undefined) return literal(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map(literal).join(' | ')
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map(typeOfSchema).join(' | ')
  const { type } = schema
  if (type === undefined) return 'unknown'
  if (Array.isArray(type))
    return type.map((each) => typeOfSchema({ ...schema, type: each })).join(' | ')
  if (type === 'object') return objectType(schema)
  if (type === 'array') return arrayType(schema)
  if (type === 'string') return stringType(schema)
  const name = plain[String(type)]
  if (name === undefined) throw new Error(`schema type ${String(type)} is not supported`)
  return name
}

/** A declaration with the schema's description as its comment. */
export const declaration = (name: string, schema: Schema): string =>
  `${comment(schema)}export type ${name} = ${typeOfSchema(schema)}\n`

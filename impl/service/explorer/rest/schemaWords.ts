type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly unknown[]
  readonly items?: unknown
  readonly properties?: Readonly<Record<string, unknown>>
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
}

/** A part of a type description; a schema is referred to by name. */
export type Word = { readonly kind: 'text' | 'schema'; readonly text: string }

const plain = (text: string): Word => ({ kind: 'text', text })
const joined = (parts: readonly (readonly Word[])[], between: string): Word[] =>
  parts.flatMap((part, at) => (at === 0 ? part : [plain(between), ...part]))

function typeWords(schema: Schema): readonly Word[] {
  if (schema.$ref !== undefined) return [{ kind: 'schema', text: schema.$ref.split('/').at(-1)! }]
  if (schema.enum !== undefined) return [plain(schema.enum.map(String).join(' | '))]
  if (schema.anyOf !== undefined) return joined(schema.anyOf.map(schemaWords), ' | ')
  if (schema.items !== undefined && Object.keys(schema.items as object).length > 0)
    return [plain('array of '), ...schemaWords(schema.items)]
  if (schema.properties !== undefined)
    return [
      plain('{ '),
      ...joined(
        Object.entries(schema.properties).map(([name, member]) => [
          plain(`${name}: `),
          ...schemaWords(member),
        ]),
        ', ',
      ),
      plain(' }'),
    ]
  const types = [schema.type ?? 'any'].flat()
  return [
    plain(types.map((type) => (type === 'null' ? type : (schema.format ?? type))).join(' | ')),
  ]
}

/** A JSON Schema in words. */
export function schemaWords(given: unknown): readonly Word[] {
  const schema = given as Schema
  const bounds = [
    ...(schema.minimum === undefined || schema.minimum === 0 ? [] : [`from ${schema.minimum}`]),
    ...(schema.maximum === undefined || schema.maximum > 1_000_000 ? [] : [`to ${schema.maximum}`]),
    ...(schema.default === undefined ? [] : [`default ${schema.default}`]),
  ]
  return [...typeWords(schema), ...(bounds.length === 0 ? [] : [plain(`, ${bounds.join(', ')}`)])]
}

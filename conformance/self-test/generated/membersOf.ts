import { AppError } from 'polgate-lib/errors/appError.ts'
import { items, type JsonType, type Member } from './member.ts'

/** A JSON Schema as the documents of the service have it. */
export type Schema = Readonly<Record<string, unknown>>

/** Schemas by the name in their references. */
export type Definitions = Readonly<Record<string, Schema>>

/** A schema that the generator cannot read. */
class UnreadableSchema extends AppError {}

/** What one schema says of a value, with its alternatives put together. */
type Shape = {
  readonly types: readonly JsonType[]
  readonly nullable: boolean
  readonly values?: readonly unknown[]
  readonly pattern?: string
  readonly format?: string
  readonly properties: Readonly<Record<string, Schema>>
  readonly required: readonly string[]
  readonly item?: Schema
}

const referencePrefix = '#/components/schemas/'

function resolved(schema: Schema, definitions: Definitions): Schema {
  if (typeof schema.$ref !== 'string') return schema
  const found = definitions[schema.$ref.replace(referencePrefix, '')]
  if (found === undefined)
    throw new UnreadableSchema(
      `the document has no schema ${schema.$ref}: add it to its components`,
    )
  return resolved(found, definitions)
}

const typeNames: Readonly<Record<string, JsonType>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  object: 'object',
  array: 'array',
}

function unionOf(shapes: readonly Shape[]): Shape {
  const plain = shapes.filter(({ types }) => types.length > 0)
  const values = plain.flatMap((shape) => shape.values ?? [])
  const one = <K extends 'pattern' | 'format' | 'item'>(name: K): Partial<Pick<Shape, K>> => {
    const found = plain.map((shape) => shape[name]).find((each) => each !== undefined)
    return found === undefined ? {} : ({ [name]: found } as Partial<Pick<Shape, K>>)
  }
  return {
    types: [...new Set(plain.flatMap(({ types }) => types))],
    nullable: shapes.some(({ nullable }) => nullable),
    ...(values.length > 0 && plain.every((shape) => shape.values !== undefined) ? { values } : {}),
    ...one('pattern'),
    ...one('format'),
    ...one('item'),
    properties: Object.assign({}, ...plain.map(({ properties }) => properties)),
    required: plain.flatMap(({ required }) => required),
  }
}

function shapeOf(given: Schema, definitions: Definitions): Shape {
  const schema = resolved(given, definitions)
  const { anyOf, type, pattern, format, enum: listed, const: constant } = schema
  if (Array.isArray(anyOf)) return unionOf(anyOf.map((each) => shapeOf(each, definitions)))
  const named = [type].flat().filter((each) => typeof each === 'string')
  const found = listed ?? (constant === undefined ? undefined : [constant])
  const values = (found as readonly unknown[] | undefined)?.filter((each) => each !== null)
  // A tuple has the same schema for each of its items in these documents.
  const item = [schema.items].flat()[0] as Schema | undefined
  return {
    types: named.flatMap((name) => typeNames[name] ?? []),
    nullable: named.includes('null'),
    ...(values === undefined ? {} : { values }),
    ...(typeof pattern === 'string' ? { pattern } : {}),
    ...(typeof format === 'string' ? { format } : {}),
    properties: (schema.properties ?? {}) as Readonly<Record<string, Schema>>,
    required: (schema.required ?? []) as readonly string[],
    ...(item === undefined ? {} : { item }),
  }
}

function below(
  path: readonly string[],
  { properties, required, item }: Shape,
  definitions: Definitions,
): readonly Member[] {
  const member = (name: string, schema: Schema, isRequired: boolean): readonly Member[] => {
    const shape = shapeOf(schema, definitions)
    const { properties: _, required: __, item: ___, ...rest } = shape
    const here = [...path, name]
    return [{ path: here, ...rest, required: isRequired }, ...below(here, shape, definitions)]
  }
  return [
    ...Object.entries(properties).flatMap(([name, schema]) =>
      member(name, schema, required.includes(name)),
    ),
    ...(item === undefined ? [] : member(items, item, true)),
  ]
}

/**
 * Every member of the answers that a schema describes, outer ones first: of nested objects, of the
 * items of arrays, and of every alternative of a union. Pure.
 *
 * @throws AppError if the schema refers to one that the definitions do not have
 */
export const membersOf = (schema: Schema, definitions: Definitions): readonly Member[] =>
  below([], shapeOf(schema, definitions), definitions)

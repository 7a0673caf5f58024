import type { DocumentNode } from 'graphql'
import { BuiltinError } from '../errors.ts'
import { RegoObject } from '../values/object.ts'
import { isObject, type Value } from '../values/value.ts'
import type { Builtin, BuiltinContext } from './builtin.ts'
import { parseDocument } from './graphql/parse.ts'
import { printQuery, printSchema } from './graphql/print.ts'
import { buildSchema, checkQuery } from './graphql/schema.ts'
import { queryValue, schemaValue } from './graphql/toValue.ts'
import { chargeText } from './json.ts'
import { asString, wrongType } from './operands.ts'
import { ANY_OBJECT, BOOLEAN, STRING, tuple, union } from './types.ts'

/** A document given as text or as parsed object. */
/** A document of the operand; OPA counts them from 0 in its errors here. */
function documentOf(
  ctx: BuiltinContext,
  value: Value,
  position: number,
  kind: 'query' | 'schema',
): DocumentNode {
  if (typeof value === 'string') return parseDocument(ctx, value, kind)
  if (!isObject(value)) throw wrongType(position - 1, value, 'string', 'object')
  chargeText(ctx, value)
  return parseDocument(ctx, kind === 'query' ? printQuery(value) : printSchema(value), kind)
}

/** Both documents, with the query validated against the schema. */
function checked(ctx: BuiltinContext, a: Value, b: Value): readonly [Value, Value] {
  const query = documentOf(ctx, a, 1, 'query')
  const document = documentOf(ctx, b, 2, 'schema')
  const schema = buildSchema(document)
  checkQuery(schema, query)
  return [queryValue(query), schemaValue(document)]
}

/** The result, or undefined if a document is invalid. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch (error) {
    if (error instanceof BuiltinError) return undefined
    throw error
  }
}

const DOCUMENT = union(STRING, ANY_OBJECT)

export const graphqlBuiltins: readonly Builtin[] = [
  {
    name: 'graphql.parse',
    args: [DOCUMENT, DOCUMENT],
    result: tuple(ANY_OBJECT, ANY_OBJECT),
    call: checked,
  },
  {
    name: 'graphql.parse_and_verify',
    args: [DOCUMENT, DOCUMENT],
    result: tuple(BOOLEAN, ANY_OBJECT, ANY_OBJECT),
    call: (ctx, a: Value, b: Value) => {
      const found = attempt(() => checked(ctx, a, b))
      return found === undefined ? [false, new RegoObject(), new RegoObject()] : [true, ...found]
    },
  },
  {
    name: 'graphql.parse_query',
    args: [STRING],
    result: ANY_OBJECT,
    call: (ctx, a: Value) => queryValue(parseDocument(ctx, asString(a, 1), 'query')),
  },
  {
    name: 'graphql.parse_schema',
    args: [STRING],
    result: ANY_OBJECT,
    call: (ctx, a: Value) => schemaValue(parseDocument(ctx, asString(a, 1), 'schema')),
  },
  {
    name: 'graphql.is_valid',
    args: [DOCUMENT, DOCUMENT],
    result: BOOLEAN,
    call: (ctx, a: Value, b: Value) => attempt(() => checked(ctx, a, b)) !== undefined,
  },
  {
    name: 'graphql.schema_is_valid',
    args: [DOCUMENT],
    result: BOOLEAN,
    call: (ctx, a: Value) =>
      attempt(() => buildSchema(documentOf(ctx, a, 1, 'schema'))) !== undefined,
  },
]

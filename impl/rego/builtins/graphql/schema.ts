import {
  buildASTSchema,
  type DefinitionNode,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  specifiedRules,
  validate,
  validateSchema,
} from 'graphql'
import { specifiedSDLRules } from 'graphql/validation/specifiedRules.js'
import { validateSDL } from 'graphql/validation/validate.js'
import { BuiltinError } from '../../errors.ts'
import { problem } from './parse.ts'

/** Rules that OPA's validator lacks. */
const NOT_IN_OPA = [
  'LoneSchemaDefinitionRule',
  'PossibleTypeExtensionsRule',
  'KnownArgumentNamesOnDirectivesRule',
]

/** A schema without root types is allowed. */
const isAboutRoots = (error: GraphQLError): boolean =>
  error.message.startsWith('Query root type must be provided')

const EXTENSION = /Extension$/

/** An extension of an undefined type defines it. */
function withBases(document: DocumentNode): DocumentNode {
  const known = new Set<string>()
  for (const node of document.definitions) {
    if (!EXTENSION.test(node.kind) && 'name' in node && node.name !== undefined) {
      known.add(node.name.value)
    }
  }
  const definitions = document.definitions.map((node): DefinitionNode => {
    const isExtension = EXTENSION.test(node.kind) && node.kind !== Kind.SCHEMA_EXTENSION
    if (!isExtension || !('name' in node) || node.name === undefined) return node
    if (known.has(node.name.value)) return node
    known.add(node.name.value)
    return { ...node, kind: node.kind.replace(EXTENSION, 'Definition') } as DefinitionNode
  })
  return { ...document, definitions }
}

function guard<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (error instanceof BuiltinError) throw error
    if (error instanceof GraphQLError) throw problem(error)
    if (error instanceof RangeError) throw new BuiltinError('GraphQL document nests too deeply')
    throw new BuiltinError(
      error instanceof Error ? error.message : 'invalid GraphQL schema',
      undefined,
      {
        cause: error,
      },
    )
  }
}

/**
 * Builds the schema of a document.
 *
 * @throws BuiltinError with the first error
 */
export const buildSchema = (document: DocumentNode): GraphQLSchema =>
  guard(() => {
    const whole = withBases(document)
    const rules = specifiedSDLRules.filter((rule) => !NOT_IN_OPA.includes(rule.name))
    const [first] = validateSDL(whole, undefined, rules)
    if (first !== undefined) throw problem(first)
    const schema = buildASTSchema(whole, { assumeValidSDL: true })
    const wrong = validateSchema(schema).find((error) => !isAboutRoots(error))
    if (wrong !== undefined) throw problem(wrong)
    return schema
  })

/**
 * Validates a query against a schema.
 *
 * @throws BuiltinError with the first error
 */
export const checkQuery = (schema: GraphQLSchema, query: DocumentNode): void =>
  guard(() => {
    // The schema was validated already, except for its root.
    const assumed = Object.assign(Object.create(Object.getPrototypeOf(schema)), schema, {
      __validationErrors: [],
    }) as GraphQLSchema
    for (const node of query.definitions) {
      if (node.kind !== Kind.OPERATION_DEFINITION || schema.getRootType(node.operation)) continue
      const message = `Schema does not support operation type "${node.operation}"`
      throw problem(new GraphQLError(message, { nodes: node }))
    }
    const [first] = validate(assumed, query, specifiedRules, { maxErrors: 10 })
    if (first !== undefined) throw problem(first)
  })

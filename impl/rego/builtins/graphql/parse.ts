import { type DefinitionNode, type DocumentNode, GraphQLError, Kind, parse } from 'graphql'
import { BuiltinError } from '../../errors.ts'
import { wellFormed } from '../../values/wellFormed.ts'
import type { BuiltinContext } from '../builtin.ts'

/** Longer texts are rejected: validation compares fields with each other. */
const MAX_TEXT = 262_144
const MAX_TOKENS = 20_000

/** Whitespace, commas and comments: a document without definitions. */
const NOTHING = /^(?:[\s,\ufeff]|#[^\n]*(?:\n|$))*$/

const EXECUTABLE: readonly string[] = [Kind.OPERATION_DEFINITION, Kind.FRAGMENT_DEFINITION]

/** `message in GraphQL string at location 1:2`, in the wording of OPA's parser. */
export function problem(error: GraphQLError): BuiltinError {
  const at = error.locations?.[0]
  const where = at === undefined ? '' : ` in GraphQL string at location ${at.line}:${at.column}`
  const message = error.message
    .replace(/^Syntax Error: /, '')
    .replace(/\.$/, '')
    .replace(/Unexpected variable "\$\w+" in constant value/, 'Unexpected $')
    .replace(/"([!$&()|:=@[\]{}]|\.\.\.)"/g, '$1')
    .replace(/Expected (?:Name|an? \w+), found }/, 'expected at least one definition, found }')
  return new BuiltinError(`${message}${where}`, undefined, { cause: error })
}

function keywordOf(node: DefinitionNode): string {
  const token = node.loc?.startToken
  return token?.kind === 'Name' ? `Name "${token.value}"` : (token?.kind ?? '')
}

function parseAll(ctx: BuiltinContext, text: string): DocumentNode {
  ctx.meter.charge(16 + text.length * 4)
  ctx.meter.allocate(text.length * 64)
  if (text.length > MAX_TEXT) {
    throw new BuiltinError(`GraphQL text is longer than ${MAX_TEXT} characters`)
  }
  if (NOTHING.test(text)) return { kind: Kind.DOCUMENT, definitions: [] }
  try {
    return parse(wellFormed(text), { allowLegacyFragmentVariables: true, maxTokens: MAX_TOKENS })
  } catch (error) {
    if (error instanceof GraphQLError) throw problem(error)
    if (error instanceof RangeError) throw new BuiltinError('GraphQL text nests too deeply')
    throw error
  }
}

/** A document of operations and fragments, or of type definitions. */
export function parseDocument(
  ctx: BuiltinContext,
  text: string,
  kind: 'query' | 'schema',
): DocumentNode {
  const document = parseAll(ctx, text)
  for (const node of document.definitions) {
    if (EXECUTABLE.includes(node.kind) === (kind === 'query')) continue
    const at = node.loc?.startToken
    throw new BuiltinError(
      `Unexpected ${keywordOf(node)} in GraphQL string at location ${at?.line}:${at?.column}`,
    )
  }
  return document
}

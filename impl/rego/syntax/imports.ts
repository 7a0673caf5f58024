import type { Ref } from './ast.ts'

const FUTURE = new Set(['contains', 'every', 'if', 'in'])

/** The releases of OPA that introduced what changes the meaning of a policy. */
const NEWER: Readonly<Record<string, string>> = {
  'rego.v2': '1.22',
  'future.keywords.not': '1.17',
  'future.keywords.and': '1.20',
  'future.keywords.or': '1.20',
}

/**
 * Valid imports: `data` and `input` paths, `rego.v1` and `future.keywords`, which have no effect in
 * Rego v1.
 */
export function checkImport(
  path: Ref,
  alias: string | undefined,
  fail: (message: string) => never,
): void {
  const names = path.path.map((part) =>
    part.kind === 'scalar' && typeof part.value === 'string' ? part.value : undefined,
  )
  if (names.includes(undefined)) fail('unexpected import path: must be made of strings')
  const root = path.head.kind === 'var' ? path.head.name : ''
  const text = [root, ...names].join('.')
  const since = NEWER[text]
  if (since !== undefined) {
    fail(
      `\`import ${text}\` needs OPA ${since} or later; this is the Rego of OPA 1.2: rewrite the policy without it`,
    )
  }
  switch (root) {
    case 'data':
    case 'input':
      return
    case 'rego':
      if (text !== 'rego.v1') fail(`invalid import \`${text}\`, must be \`rego.v1\``)
      if (alias !== undefined) fail('`rego` imports cannot be aliased')
      return
    case 'future': {
      if (names[0] !== 'keywords' || names.length > 2) {
        fail('invalid import, must be `future.keywords`')
      }
      const keyword = names[1]
      if (keyword !== undefined && !FUTURE.has(keyword)) {
        fail(`unexpected keyword, must be one of [contains every if in]`)
      }
      if (alias !== undefined) fail('`future` imports cannot be aliased')
      return
    }
    default:
      fail(
        `unexpected import path, must begin with one of: {data, future, input, rego}, got: ${root} (hint: if this is unexpected, try updating OPA)`,
      )
  }
}

/** Imports that only enable keywords. */
export const isKeywordImport = (path: Ref): boolean =>
  path.head.kind === 'var' && (path.head.name === 'rego' || path.head.name === 'future')

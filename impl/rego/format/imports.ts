import type { Import } from '../syntax/ast.ts'

const root = ({ path }: Import): string => (path.head.kind === 'var' ? path.head.name : '')

const parts = (each: Import): readonly string[] => [
  root(each),
  ...each.path.path.map((part) => (part.kind === 'scalar' ? String(part.value) : '')),
]

/** With `rego.v1`, imports of `future.keywords` have no effect and are not written. */
export function keptImports(imports: readonly Import[]): readonly Import[] {
  if (!imports.some((each) => parts(each).join('.') === 'rego.v1')) return imports
  return imports.filter((each) => root(each) !== 'future')
}

/** The keyword of `import future.keywords.in`, which is no name elsewhere. */
export const futureKeyword = (each: Import): string | undefined =>
  root(each) === 'future' ? parts(each)[2] : undefined

/** Sorts imports by path, then by alias; a shorter path comes first. */
export const importKey = (each: Import): string =>
  `${parts(each).join('\u0000')}\u0000\u0000${each.alias ?? ''}`

/** Orders texts by their characters, in every locale. */
export const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

import { Lexer } from 'yaml'

/**
 * Approximate nesting depth of a YAML text; half the depth for unindented lists below their keys.
 * Determined token by token, because the parser is recursive and overflows the stack.
 */
export function yamlNesting(text: string): number {
  /** Start columns of the open block collections. */
  const columns: number[] = []
  let column = 0
  let leading = true
  let flow = 0
  let deepest = 0
  for (const token of new Lexer().lex(text)) {
    if (token.endsWith('\n')) {
      column = 0
      leading = true
      continue
    }
    if (token === '[' || token === '{') flow++
    else if ((token === ']' || token === '}') && flow > 0) flow--
    // A control character precedes a token and has no width.
    if (token.length === 1 && token < ' ' && token !== '\t') continue
    if (leading && token.trim() !== '') {
      while (columns.length > 0 && (columns.at(-1) as number) >= column) columns.pop()
      columns.push(column)
      leading = token === '-' || token === '?' || token === ':'
    }
    column += token.length
    deepest = Math.max(deepest, columns.length + flow)
  }
  return deepest
}

import { Lexer } from 'yaml'

/**
 * About how deep a text of YAML nests: half as deep where lists stand unindented below their
 * keys. Found token by token, as the parser itself follows the nesting on the stack and fails when that is used up.
 */
export const yamlNesting = (text: string): number => {
  /** The columns at which the open block collections began. */
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
    // a control character announces what follows, and takes no room
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

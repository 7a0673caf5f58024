import { lex } from 'polgate-rego/syntax/lexer.ts'
import { parseModule } from 'polgate-rego/syntax/parser.ts'
import { Source } from 'polgate-rego/syntax/source.ts'

const LINES = [' ', '  ', '\n', '\n\n', '\n\n\n\t']
const COMMENTS = [...LINES, ' # note\n', '\n# note\n', '\n  # note [(\n\n']

/**
 * A module with other space between its tokens, where the result still parses: line ends, blank lines,
 * comments. Every number chooses for one gap.
 */
export function scattered(
  text: string,
  numbers: readonly number[],
  { comments = true } = {},
): string {
  const spaces = comments ? COMMENTS : LINES
  const { tokens } = lex(new Source('a.rego', text))
  let result = text.slice(0, tokens[0]?.start)
  tokens.slice(0, -1).forEach(({ start, end }, i) => {
    const next = tokens[i + 1]?.start ?? text.length
    const gap = text.slice(end, next)
    const number = numbers[i % numbers.length] ?? 0
    const isChanged = gap !== '' && !gap.includes('#') && number % 4 === 0
    const other = spaces[(number >> 2) % spaces.length] ?? ' '
    const space = gap.includes('\n') && !other.includes('\n') ? `${other}\n` : other
    result += text.slice(start, end) + (isChanged ? space : gap)
  })
  return result
}

export function parses(text: string): boolean {
  try {
    parseModule(new Source('a.rego', text))
    return true
  } catch {
    return false
  }
}

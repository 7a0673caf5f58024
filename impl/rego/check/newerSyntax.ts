import { RegoError } from '../errors.ts'
import { lex } from '../syntax/lexer.ts'
import type { Source } from '../syntax/source.ts'
import { isKeyword } from '../syntax/tokens.ts'

/** What this engine accepts on purpose and OPA 1.2 does not: nothing of it has another meaning there. */
export function newerSyntax(source: Source): RegoError[] {
  const errors: RegoError[] = []
  const report = (at: number, what: string, since: string): void => {
    const message = `${what} needs OPA ${since} or later`
    errors.push(new RegoError('rego_parse_error', message, { location: source.locate(at) }))
  }
  const { tokens } = lex(source)
  let isImport = false
  for (const [i, { kind, start, end, newline }] of tokens.entries()) {
    const word = source.text.slice(start, end)
    if (i === 0 || newline) isImport = word === 'import'
    if (isImport && IN_IMPORTS.has(word)) continue
    if (kind === 'template') report(start, 'a template string', '1.12')
    else if (isKeyword(word) && isName(tokens, i)) {
      report(start, `the keyword \`${word}\` as a name`, '1.6')
    }
  }
  return errors
}

/** Keywords of Rego v1 alone are names in imports: `import future.keywords.if`, `import data.lib.in as y`. */
const IN_IMPORTS: ReadonlySet<string> = new Set(['contains', 'every', 'if', 'in'])

type Tokens = ReturnType<typeof lex>['tokens']

/** Whether a keyword follows a dot, or begins a reference. */
function isName(tokens: Tokens, i: number): boolean {
  const [before, token, after] = [tokens[i - 1], tokens[i]!, tokens[i + 1]]
  const followsDot = before?.kind === '.' && before.end === token.start
  return followsDot || (token.kind === 'identifier' && after?.kind === '.')
}

import { RegoError } from 'polgate-rego/errors.ts'
import { errorsJson, indentJson } from 'polgate-rego/report/answer.ts'
import { moduleJson } from 'polgate-rego/syntax/astJson.ts'
import { lex } from 'polgate-rego/syntax/lexer.ts'
import { parseModule } from 'polgate-rego/syntax/parser.ts'
import { Source } from 'polgate-rego/syntax/source.ts'
import { fromJson, stringify } from 'polgate-rego/values/json.ts'
import { serviceCapabilities } from './capabilities.ts'
import { readText } from './files.ts'
import { showError } from './terminal.ts'

export type Format = 'json' | 'pretty'

/** `polgate regorus parse`: prints the syntax tree, or the syntax error (exit code 1). */
export const parseCommand = (path: string, format: Format): Promise<void> =>
  inspect(path, format, (source) => {
    const module = parseModule(source)
    if (format === 'json') {
      console.log(indentJson(stringify(fromJson(moduleJson(module)))))
      return
    }
    console.log(`${module.package.span.text}`)
    for (const each of module.imports) console.log(`  ${each.span.text}`)
    for (const { head, isDefault, span } of module.rules) {
      const { row } = span.location
      console.log(`  ${isDefault ? 'default ' : ''}${head.ref.span.text}  row ${row}`)
    }
  })

/** `polgate regorus lex`: prints one token per line, or the error (exit code 1). */
export const lexCommand = (path: string, format: Format): Promise<void> =>
  inspect(path, format, (source) => {
    const tokens = lex(source).tokens.map(({ kind, start, end }) => {
      const { row, col } = source.locate(start)
      return { kind, text: source.text.slice(start, end), row, col }
    })
    if (format === 'json') console.log(indentJson(JSON.stringify(tokens)))
    else {
      for (const { kind, text, row, col } of tokens) {
        console.log(
          `${row}:${col}\t${kind}\t${kind === text ? '' : JSON.stringify(text)}`.trimEnd(),
        )
      }
    }
  })

async function inspect(
  path: string,
  format: Format,
  look: (source: Source) => void,
): Promise<void> {
  const text = readText(path)
  process.exitCode = 0
  try {
    look(new Source(path, text))
  } catch (error) {
    if (!(error instanceof RegoError)) throw error
    process.exitCode = 1
    if (format === 'json') console.log(errorsJson([error]))
    const modules = [{ name: path, source: text }]
    showError(error, { modules, capabilities: serviceCapabilities })
  }
}

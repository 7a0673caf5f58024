import { outputWidth } from 'polgate-lib/text/outputWidth.ts'
import { wrapText } from 'polgate-lib/text/wrapText.ts'
import type { Dialect } from 'polgate-rego/compile/dialect.ts'
import type { ModuleSource } from 'polgate-rego/engine.ts'
import { lintModules } from 'polgate-rego/lint/lintModules.ts'
import { undefinedNegation } from 'polgate-rego/lint/rules/undefinedNegation.ts'
import { parseModule } from 'polgate-rego/syntax/parser.ts'
import { Source } from 'polgate-rego/syntax/source.ts'
import { colours } from '../colours.ts'
import type { Capabilities } from './capabilities.ts'

/**
 * Warns on stderr about negations that the service and OPA 1.2 answer differently, each with a form on which
 * both agree. A comment `# lint:ignore undefined-negation` silences one.
 */
export function warnOfNegations(
  sources: readonly ModuleSource[],
  { builtins, dialect }: { readonly builtins: Capabilities; readonly dialect: Dialect },
): void {
  const { id } = undefinedNegation
  const modules = sources.map(({ name, source }) => parseModule(new Source(name, source)))
  const { yellow, cyan, dim } = colours(process.stderr)
  const findings = lintModules({ modules, builtins, dialect, rules: [id] })
  for (const { rule, message, help, place } of findings) {
    if (rule !== id || place === undefined) continue
    const at = dim(`${place.file}:${place.row}:${place.col}`)
    const text = `${yellow('warning:')} ${message} ${at}\n  ${cyan('help:')} ${help}`
    console.error(wrapText(text, outputWidth(process.stderr)))
  }
}

import { outputWidth } from 'polgate-lib/text/outputWidth.ts'
import { wrapText } from 'polgate-lib/text/wrapText.ts'
import type { Dialect } from 'polgate-rego/compile/dialect.ts'
import type { ModuleSource } from 'polgate-rego/engine.ts'
import { lintModules } from 'polgate-rego/lint/lintModules.ts'
import type { LintRule } from 'polgate-rego/lint/lintRule.ts'
import { parseModule } from 'polgate-rego/syntax/parser.ts'
import { Source } from 'polgate-rego/syntax/source.ts'
import { colours } from '../colours.ts'
import type { Capabilities } from './capabilities.ts'

/** Warns on stderr about what one rule of lint finds. A comment `# lint:ignore ID` silences one. */
export function warnOf(
  { id }: LintRule,
  sources: readonly ModuleSource[],
  { builtins, dialect }: { readonly builtins: Capabilities; readonly dialect: Dialect },
): void {
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

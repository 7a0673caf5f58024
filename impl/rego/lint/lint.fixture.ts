import { profileBuiltins } from '../builtins/capabilities.ts'
import { parseModule } from '../syntax/parser.ts'
import { Source } from '../syntax/source.ts'
import { type LintFinding, type LintOptions, lintModules } from './lintModules.ts'

const builtins = profileBuiltins('latest')

/** Findings in modules, named `0.rego`, `1_test.rego`, ...: those of tests as such. */
export const lint = (
  texts: readonly string[],
  options: Pick<LintOptions, 'rules' | 'params' | 'entrypoint'> = {},
): readonly LintFinding[] =>
  lintModules({
    modules: texts.map((text, i) =>
      parseModule(
        new Source(/^package \w+_test/m.test(text) ? `${i}_test.rego` : `${i}.rego`, text),
      ),
    ),
    builtins,
    ...options,
  })

/** Rows and messages of the findings of one rule. */
export const found = (rule: string, ...texts: readonly string[]): readonly string[] =>
  lint(texts, { rules: [rule] }).map(
    ({ place, message }) => `${place?.file ?? '-'}:${place?.row ?? '-'} ${message}`,
  )

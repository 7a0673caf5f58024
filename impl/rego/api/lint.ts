import { type LintFinding, lintModules } from '../lint/lintModules.ts'
import { LINT_RULES } from '../lint/rules.ts'
import { parseModule } from '../syntax/parser.ts'
import { Source } from '../syntax/source.ts'
import { type CompileOptions, helped, knownBuiltins } from './compile.ts'
import type { Sources } from './policy.ts'

export type { LintFinding } from '../lint/lintModules.ts'
export type { Sources } from './policy.ts'

export type LintOptions = Pick<CompileOptions, 'builtins' | 'capabilities' | 'dialect'> & {
  /** Ids of the rules to check; all by default. */
  readonly rules?: readonly string[]
  /** Paths of parameters that the policy is given, such as `['price_feed', 'max_usd']`. */
  readonly params?: readonly (readonly string[])[]
  /** The rule that decides, without `data`: `policy.allow`. By default, decisions are known by their names. */
  readonly entrypoint?: string
}

/** The ids of all rules. */
export const lintRules: readonly string[] = LINT_RULES.map(({ id }) => id)

/**
 * Searches modules for patterns by which a policy may allow because something failed. Pass the tests of
 * the policies, too: packages or files named `..._test`. Findings that a comment turns off are left out.
 *
 * @throws RegoError if the modules do not compile (types are not checked); RangeError for an unknown rule
 */
export function lint(sources: Sources, options: LintOptions = {}): readonly LintFinding[] {
  const { dialect, rules, params, entrypoint } = options
  const unknown = rules?.find((id) => !lintRules.includes(id))
  if (unknown !== undefined) {
    throw new RangeError(`unknown lint rule ${unknown}: use one of ${lintRules.join(', ')}`)
  }
  const { known, allowed } = knownBuiltins(options)
  try {
    return lintModules({
      modules: Object.entries(sources).map(([name, text]) => parseModule(new Source(name, text))),
      builtins: allowed,
      ...(dialect === undefined ? {} : { dialect }),
      ...(rules === undefined ? {} : { rules }),
      ...(params === undefined ? {} : { params }),
      ...(entrypoint === undefined ? {} : { entrypoint }),
    })
  } catch (error) {
    throw helped(error, known)
  }
}

import type { Builtin } from '../builtins/builtin.ts'
import type { Dialect } from '../compile/dialect.ts'
import { compileModules, type Program } from '../compile/program.ts'
import type { Module } from '../syntax/ast.ts'
import type { Span } from '../syntax/source.ts'
import { ignoresOf } from './ignores.ts'
import type { LintContext } from './lintRule.ts'
import { isOfTests } from './ruleNames.ts'
import { LINT_RULES } from './rules.ts'

export type LintOptions = {
  readonly modules: readonly Module[]
  readonly builtins: ReadonlyMap<string, Builtin>
  /** Whose semantics apply where the engines disagree; `engine-0.9` by default. */
  readonly dialect?: Dialect
  /** Ids of the rules to check; all by default. */
  readonly rules?: readonly string[]
  /** Paths of parameters that the policy is given, such as `['price_feed', 'max_usd']`. */
  readonly params?: readonly (readonly string[])[]
  /** The rule that decides, without `data`: `policy.allow`. By default, decisions are known by their names. */
  readonly entrypoint?: string
}

/** One thing that lint found. Rows and columns begin at 1; the end is behind the last character. */
export type LintFinding = {
  /** The id of the rule, or `lint-comment` for a comment that turns off nothing. */
  readonly rule: string
  readonly message: string
  readonly help: string
  readonly place:
    | {
        readonly file: string
        readonly row: number
        readonly col: number
        readonly end: { readonly row: number; readonly col: number }
      }
    | undefined
}

/** The id of findings about the comments of lint itself. They cannot be turned off. */
export const LINT_COMMENT = 'lint-comment'

/**
 * Searches modules for patterns by which a policy may allow because something failed or more than it
 * should, or tell what is private. Findings that a comment turns off are left out.
 *
 * @throws RegoError if the modules do not compile; types are not checked
 */
export function lintModules(options: LintOptions): readonly LintFinding[] {
  const { modules, builtins, dialect, rules } = options
  const context = contextOf(compileModules(modules, builtins, { dialect }), options)
  const ignores = ignoresOf(modules)
  const findings: LintFinding[] = ignores.faults.map(({ span, message }) => ({
    rule: LINT_COMMENT,
    message,
    help: `write \`# lint:ignore ID: reason\` with one of ${LINT_RULES.map(({ id }) => id).join(', ')}`,
    place: placeOf(span),
  }))
  for (const { id, check } of LINT_RULES) {
    if (rules !== undefined && !rules.includes(id)) continue
    for (const { span, message, help } of check(context)) {
      if (span !== undefined && ignores.has(id, span)) continue
      findings.push({
        rule: id,
        message,
        help,
        place: span === undefined ? undefined : placeOf(span),
      })
    }
  }
  return findings.sort(byPlace)
}

export function contextOf(
  program: Program,
  { params = [], entrypoint }: Pick<LintOptions, 'params' | 'entrypoint'> = {},
): LintContext {
  const policies = program.rules.filter((rule) => !isOfTests(rule))
  return { program, policies, tests: program.rules.filter(isOfTests), params, entrypoint }
}

export function placeOf({ source, start, end }: Span): NonNullable<LintFinding['place']> {
  const { row, col } = source.locate(end)
  return { ...source.locate(start), end: { row, col } }
}

function byPlace({ place: a }: LintFinding, { place: b }: LintFinding): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return a.row - b.row || a.col - b.col
}

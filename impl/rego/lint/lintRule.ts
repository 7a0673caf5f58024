import type { Program } from '../compile/program.ts'
import type { ResolvedRule } from '../compile/resolved.ts'
import type { Span } from '../syntax/source.ts'

/** What a rule of lint looks at. */
export type LintContext = {
  readonly program: Program
  /** Rules of policies, and rules of tests: those of packages and files named `..._test`. */
  readonly policies: readonly ResolvedRule[]
  readonly tests: readonly ResolvedRule[]
  /** Paths of parameters that the policy is given, such as `['max_value']`. */
  readonly params: readonly (readonly string[])[]
  /** The rule that decides, without `data`: `policy.allow`; undefined where it is not known. */
  readonly entrypoint: string | undefined
}

/** A place where a rule of lint does not hold. */
export type LintFault = {
  /** Absent for a fault of no single place, such as a parameter that no rule reads. */
  readonly span: Span | undefined
  /** One line: what is wrong, with the names of the policy. */
  readonly message: string
  /** What to write instead. */
  readonly help: string
}

/** A rule of lint: a pattern by which a policy may allow what it should not. */
export type LintRule = {
  /** Used in comments and options; never renamed. */
  readonly id: string
  /** One line, for lists. */
  readonly title: string
  /** Why the pattern is a problem. */
  readonly why: string
  /** Modules that show the pattern, and the same without it. */
  readonly bad: readonly string[]
  readonly good: readonly string[]
  readonly check: (context: LintContext) => readonly LintFault[]
}

import type { Body, Module, Rule, Term, Var } from '../syntax/ast.ts'
import type { Span } from '../syntax/source.ts'
import type { Scalar as ScalarValue } from '../values/value.ts'

/** One branch of a rule: the rule itself, then each `else`. */
export type Branch = {
  /** The member of a partial set. */
  readonly member: Term | undefined
  /** The value; absent for a partial set. */
  readonly value: Term | undefined
  /** In the order of evaluation after the safety check. */
  readonly body: Body
  readonly span: Span
}

/**
 * A rule with full references and unique local variables. Arguments are variables; a pattern is
 * replaced by an equation at the start of each body.
 */
export type ResolvedRule = {
  readonly id: number
  readonly rule: Rule
  readonly module: Module
  /** The constant prefix of its path, below `data`. */
  readonly path: readonly ScalarValue[]
  /** The rest of the head's reference: `[x].y` of `p[x].y`. */
  readonly rest: readonly Term[]
  readonly args: readonly Var[] | undefined
  readonly branches: readonly Branch[]
  readonly isDefault: boolean
  readonly span: Span
}

export type RuleKind = 'complete' | 'set' | 'object' | 'function'

/** The kind of document of a rule at its constant path. */
export function kindOf(rule: ResolvedRule): RuleKind {
  if (rule.args !== undefined) return 'function'
  if (rule.rest.length > 0) return 'object'
  return rule.rule.head.member === undefined ? 'complete' : 'set'
}

/** The text of a path: `data.a.b["c d"]`. */
export const pathText = (path: readonly ScalarValue[]): string =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'string' && /^[A-Za-z_]\w*$/.test(part)
        ? `${text}.${part}`
        : `${text}[${typeof part === 'string' ? JSON.stringify(part) : String(part)}]`,
    'data',
  )

/** The path of a rule including its variables. */
export const ruleText = (rule: ResolvedRule): string =>
  rule.rest.reduce((text, part) => {
    if (part.kind === 'scalar') return `${text}[${JSON.stringify(part.value)}]`
    return `${text}[${part.kind === 'var' ? (part.source ?? part.name) : part.span.text}]`
  }, pathText(rule.path))

import { negatedOperands } from '../compile/negatedOperands.ts'
import type { ResolvedRule } from '../compile/resolved.ts'
import type { Literal, Term } from '../syntax/ast.ts'
import type { Value } from '../values/value.ts'
import type { Eval, Frame, Next } from './closure.ts'
import type { Context } from './context.ts'
import { type Expr, RESULT, type Step } from './plan.ts'

/** A part of a literal and its value. */
export type Operand = { readonly term: Term; readonly value: Value | undefined }

/**
 * Receives events of an evaluation, for coverage, profiles and explanations. Literals come in the
 * order of evaluation; one that iterates passes once per solution. Without a tracer, closures have
 * no tracing overhead.
 */
export type Tracer = {
  /** A branch of a rule begins: 0 is the rule itself, followed by its `else` branches. */
  enterRule?(rule: ResolvedRule, branch: number): void
  /** The branch has ended; for a partial rule the value is what it has added so far. */
  exitRule?(rule: ResolvedRule, branch: number, value: Value | undefined): void
  enter?(literal: Literal): void
  pass?(literal: Literal): void
  /** `operands` evaluates the parts of the literal again, for literals that never passed. */
  exit?(literal: Literal, operands: () => readonly Operand[]): void
}

/** Wraps the closure of a literal's steps with tracing. */
export function traced(
  tracer: Tracer,
  literal: Literal,
  steps: readonly Step[],
  build: (expr: Expr) => Eval,
  run: Next,
): Next {
  const parts = operandsOf(literal, steps).map(({ term, expr }) => ({ term, eval: build(expr) }))
  return (c, f) => {
    tracer.enter?.(literal)
    const stop = run(c, f)
    tracer.exit?.(literal, () => parts.map((part) => operand(part.term, part.eval, c, f)))
    return stop
  }
}

function operand(term: Term, evaluate: Eval, c: Context, f: Frame): Operand {
  try {
    return { term, value: evaluate(c, f) }
  } catch {
    // The original evaluation failed as well and reports this error.
    return { term, value: undefined }
  }
}

/** The terms of a literal whose values explain it: the operands of its call, or the term itself. */
function operandsOf(
  literal: Literal,
  steps: readonly Step[],
): { readonly term: Term; readonly expr: Expr }[] {
  const last = steps.at(-1)
  if (literal.kind !== 'term' || last === undefined) return []
  const { term } = literal
  if (last.op === 'not') {
    // Those that were evaluated before the negation, in OPA's dialect.
    const before = steps.filter((step) => step.op === 'let')
    const operands = negatedOperands(literal)
    if (before.length !== operands.length) return []
    return before.map(({ expr }, i) => ({ term: operands[i] as Term, expr }))
  }
  if (last.op === 'test') {
    if (term.kind !== 'call') return [{ term, expr: last.expr }]
    if (last.expr.op !== 'call' && last.expr.op !== 'apply') return []
    return last.expr.args.flatMap((expr, i) => {
      const arg = term.args[i]
      return arg === undefined || arg.kind === 'scalar' ? [] : [{ term: arg, expr }]
    })
  }
  if ((last.op === 'match' || last.op === 'let') && term.kind === 'call') {
    const right = term.args.at(-1)
    return right === undefined ? [] : [{ term: right, expr: last.expr }]
  }
  return []
}

/** Wraps the closure of a branch with tracing. */
export function tracedBranch(tracer: Tracer, rule: ResolvedRule, branch: number, run: Next): Next {
  return (c, f) => {
    tracer.enterRule?.(rule, branch)
    const stop = run(c, f)
    tracer.exitRule?.(rule, branch, f[RESULT])
    return stop
  }
}

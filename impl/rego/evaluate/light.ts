import type { Block, Expr, Pattern, RulePlan, Step } from './plan.ts'

/** Maximum number of steps of a light function. */
const FEW = 8

/**
 * A rule with a few comparisons and operators, without loops and calls: evaluating it again is as
 * cheap as a memo lookup.
 */
export const isLight = ({ branches }: RulePlan): boolean =>
  branches.length <= 4 &&
  branches.every(
    ({ block, value, rest }) =>
      rest.length === 0 && isLightBlock(block) && (value === undefined || isLightExpr(value)),
  )

const isLightBlock = (block: Block): boolean => block.length <= FEW && block.every(isLightStep)

function isLightStep(step: Step): boolean {
  switch (step.op) {
    case 'test':
    case 'let':
      return isLightExpr(step.expr)
    case 'match':
      return isLightExpr(step.expr) && isLightPattern(step.pattern)
    case 'not':
      return isLightBlock(step.block)
    default:
      return false
  }
}

const isLightPattern = (pattern: Pattern): boolean =>
  pattern.kind === 'any' ||
  pattern.kind === 'bind' ||
  (pattern.kind === 'equal' && isLightExpr(pattern.expr))

function isLightExpr(expr: Expr): boolean {
  switch (expr.op) {
    case 'const':
    case 'slot':
    case 'input':
      return true
    case 'lookup':
      return isLightExpr(expr.base) && expr.path.every(isLightExpr)
    case 'base':
      return expr.path.every(isLightExpr)
    case 'call':
      return isOperator(expr.builtin.name) && expr.args.every(isLightExpr)
    default:
      return false
  }
}

const OPERATORS: ReadonlySet<string> = new Set([
  ...['equal', 'neq', 'lt', 'lte', 'gt', 'gte'],
  ...['plus', 'minus', 'mul', 'div', 'rem', 'abs', 'count', 'is_string', 'is_number'],
])

const isOperator = (name: string): boolean => OPERATORS.has(name)

import type { Type } from '../builtins/types.ts'
import type { With } from '../syntax/ast.ts'
import { findCallee } from './calls.ts'
import { wrongArguments } from './faults.ts'
import { overlap } from './lattice.ts'
import type { Scope } from './scope.ts'

/**
 * Checks a `with`: a function may be replaced by a value or by a function of the same arity, whose
 * arguments may have the same types. True if it replaces rules or functions, so that their types do not hold inside it.
 */
export function checkWith(scope: Scope, each: With): boolean {
  const { context } = scope
  const target = findCallee(context, each.target)
  const isName = each.value.kind === 'var' || each.value.kind === 'ref'
  const local = each.value.kind === 'var' && scope.locals.get(each.value.name) !== undefined
  const value = isName && !local ? findCallee(context, each.value) : undefined
  if (target === undefined || value === undefined) {
    scope.visit(each.value)
  } else if (!fits(target.type.args, value.type.args)) {
    const want = target.type.args
    context.report(wrongArguments(each.span, target.name, 'arity mismatch', value.type.args, want))
  }
  return target !== undefined || !isInput(each)
}

const fits = (args: readonly Type[], others: readonly Type[]): boolean =>
  args.length === others.length && args.every((type, i) => overlap(type, others[i]!))

function isInput({ target }: With): boolean {
  const head = target.kind === 'ref' ? target.head : target
  return head.kind === 'var' && head.name === 'input'
}

import type { With } from '../syntax/ast.ts'
import { findCallee } from './calls.ts'
import { wrongArguments } from './faults.ts'
import type { Scope } from './scope.ts'

/**
 * Checks a `with`: a function may be replaced by a value or by a function of the same arity. True
 * if it replaces rules or functions, so that their types do not hold inside it.
 */
export function checkWith(scope: Scope, each: With): boolean {
  const { context } = scope
  const target = findCallee(context, each.target)
  const isName = each.value.kind === 'var' || each.value.kind === 'ref'
  const local = each.value.kind === 'var' && scope.locals.get(each.value.name) !== undefined
  const value = isName && !local ? findCallee(context, each.value) : undefined
  if (target === undefined || value === undefined) {
    scope.visit(each.value)
  } else if (target.type.args.length !== value.type.args.length) {
    const want = target.type.args
    context.report(wrongArguments(each.span, target.name, 'arity mismatch', value.type.args, want))
  }
  return target !== undefined || !isInput(each)
}

function isInput({ target }: With): boolean {
  const head = target.kind === 'ref' ? target.head : target
  return head.kind === 'var' && head.name === 'input'
}

import type { Literal, Term } from '../syntax/ast.ts'
import { isClosure } from './visit.ts'

/**
 * The terms of a negated literal that OPA evaluates before the negation: when one of them is
 * undefined, so is the body, although the expression does not hold. These are the arguments of calls
 * and operators, calls within other terms, and keys of references. Not among them are the references
 * that the negation is about: a reference alone, and the sides of `==` and `=`. Terms that are always
 * defined, such as constants, variables and comprehensions, are left out.
 *
 * @param inQuery whether the literal is in a query, in which `==` is an operator like the others
 */
export function negatedOperands(literal: Literal, inQuery = false): readonly Term[] {
  const operands: Term[] = []
  if (literal.kind === 'every') required(literal.domain, operands)
  if (literal.kind !== 'term') return operands
  const { term } = literal
  if (term.kind !== 'call') inside(term, operands)
  else if (isEquality(term, inQuery)) for (const side of term.args) inside(side, operands)
  else for (const arg of term.args) required(arg, operands)
  return operands
}

const isEquality = ({ operator, args }: Term & { kind: 'call' }, inQuery: boolean): boolean =>
  operator.kind === 'var' &&
  args.length === 2 &&
  (operator.name === 'eq' || (operator.name === 'equal' && !inQuery))

/** A reference may be undefined itself, but not its keys, or a head that is not a variable. */
function inside(term: Term, operands: Term[]): void {
  if (term.kind !== 'ref') {
    required(term, operands)
    return
  }
  required(term.head, operands)
  for (const part of term.path) required(part, operands)
}

function required(term: Term, operands: Term[]): void {
  if (mayBeUndefined(term)) operands.push(term)
}

function mayBeUndefined(term: Term): boolean {
  switch (term.kind) {
    case 'scalar':
    case 'var':
      return false
    case 'array':
    case 'set':
      return term.items.some(mayBeUndefined)
    case 'object':
      return term.entries.some(([key, value]) => mayBeUndefined(key) || mayBeUndefined(value))
    default:
      return !isClosure(term)
  }
}

import type { Body, Comprehension, Literal, Term, Var } from '../syntax/ast.ts'

/** A closure in a term: its body has separate variables. */
export const isComprehension = (term: Term): term is Comprehension =>
  term.kind === 'arrayComprehension' ||
  term.kind === 'setComprehension' ||
  term.kind === 'objectComprehension'

/**
 * Visits a term and its descendants in pre-order, except the operators of calls. `visit` may return
 * false to skip the descendants.
 */
export function walkTerm(term: Term, visit: (term: Term) => boolean): void {
  if (!visit(term)) return
  switch (term.kind) {
    case 'ref':
      walkTerm(term.head, visit)
      for (const part of term.path) walkTerm(part, visit)
      break
    case 'array':
    case 'set':
      for (const item of term.items) walkTerm(item, visit)
      break
    case 'object':
      for (const [key, value] of term.entries) {
        walkTerm(key, visit)
        walkTerm(value, visit)
      }
      break
    case 'call':
      for (const arg of term.args) walkTerm(arg, visit)
      break
    case 'arrayComprehension':
    case 'setComprehension':
      walkTerm(term.head, visit)
      walkBody(term.body, visit)
      break
    case 'objectComprehension':
      walkTerm(term.key, visit)
      walkTerm(term.value, visit)
      walkBody(term.body, visit)
      break
    case 'template':
      for (const part of term.parts) if (typeof part !== 'string') walkLiteral(part, visit)
      break
    default:
  }
}

/** The top-level terms of a literal, without the body of an `every`. */
export function literalTerms(literal: Literal): Term[] {
  const terms: Term[] = []
  switch (literal.kind) {
    case 'term':
      terms.push(literal.term)
      break
    case 'someIn':
      if (literal.key !== undefined) terms.push(literal.key)
      terms.push(literal.value, literal.domain)
      break
    case 'every':
      terms.push(literal.domain)
      break
    case 'some':
      terms.push(...literal.vars)
  }
  return terms
}

export function walkLiteral(literal: Literal, visit: (term: Term) => boolean): void {
  for (const term of literalTerms(literal)) walkTerm(term, visit)
  if (literal.kind === 'every') {
    if (literal.key !== undefined) visit(literal.key)
    visit(literal.value)
    walkBody(literal.body, visit)
  }
  for (const each of literal.withs) {
    walkTerm(each.target, visit)
    walkTerm(each.value, visit)
  }
}

export function walkBody(body: Body, visit: (term: Term) => boolean): void {
  for (const literal of body) walkLiteral(literal, visit)
}

export const isRootVar = (variable: Var): boolean =>
  variable.name === 'data' || variable.name === 'input'

/** Whether a term is evaluated as a closure, with separate variables. */
export const isClosure = (term: Term): boolean => isComprehension(term) || term.kind === 'template'

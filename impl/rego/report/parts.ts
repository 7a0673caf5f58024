import { isClosure, isComprehension, literalTerms, walkTerm } from '../compile/visit.ts'
import type { Body, Module, Term } from '../syntax/ast.ts'
import type { Span } from '../syntax/source.ts'
import type { Place } from './places.ts'

/**
 * Rows of the parts of expressions that OPA evaluates as expressions of their own, where they are on another row:
 * calls, and references to documents, of those expressions and heads that were reached.
 */
export function reachedParts(
  module: Module,
  names: ReadonlySet<string>,
  isReached: (kind: Place['kind'], span: Span) => boolean,
): ReadonlySet<number> {
  const rows = new Set<number>()
  const term = (from: Term, counts: boolean): void =>
    walkTerm(from, (part) => {
      if (isClosure(part)) {
        if (isComprehension(part)) body(part.body)
        return false
      }
      if (counts && isDocument(part, names)) rows.add(part.span.location.row)
      return true
    })
  const body = (literals: Body): void => {
    for (const literal of literals) {
      const counts = isReached('literal', literal.span)
      const values = literal.withs.map(({ value }) => value)
      for (const each of [...literalTerms(literal), ...values]) term(each, counts)
      if (literal.kind === 'every') body(literal.body)
    }
  }
  for (const { head, body: own, elses, span } of module.rules) {
    for (const each of [head.value, head.member, ...head.ref.path])
      if (each !== undefined) term(each, isReached('head', span))
    body(own)
    for (const branch of elses) {
      term(branch.value, isReached('head', branch.span))
      body(branch.body)
    }
  }
  return rows
}

function isDocument(term: Term, names: ReadonlySet<string>): boolean {
  if (term.kind === 'call') return true
  const head = term.kind === 'ref' ? term.head : term
  if (head.kind !== 'var') return false
  return names.has(head.name) || (term.kind === 'ref' && ['data', 'input'].includes(head.name))
}

import type { Branch, ResolvedRule } from '../compile/resolved.ts'
import { literalTerms, walkTerm } from '../compile/visit.ts'
import type { Body, Literal, Term } from '../syntax/ast.ts'

/** The bodies of a term: those of comprehensions and templates in it. */
function bodiesOf(term: Term, visit: (body: Body) => void): void {
  walkTerm(term, (each) => {
    switch (each.kind) {
      case 'arrayComprehension':
      case 'setComprehension':
      case 'objectComprehension':
        visit(each.body)
        return true
      case 'template':
        visit(each.parts.flatMap((part) => (typeof part === 'string' ? [] : [part])))
        return true
      default:
        return true
    }
  })
}

/** Terms of a literal at its own level, with those of its modifiers. */
export const termsOf = (literal: Literal): readonly Term[] => [
  ...literalTerms(literal),
  ...literal.withs.flatMap(({ target, value }) => [target, value]),
]

/** The terms of a branch outside of its body: the value or the member. */
const headOf = ({ member, value }: Branch): readonly Term[] =>
  [member, value].filter((term) => term !== undefined)

/** Visits all literals of a rule, also in comprehensions and in `every`, once. */
export function eachLiteral(rule: ResolvedRule, visit: (literal: Literal) => void): void {
  const seen = new Set<Literal>()
  const body = (literals: Body): void => {
    for (const literal of literals) {
      if (seen.has(literal)) continue
      seen.add(literal)
      visit(literal)
      for (const term of termsOf(literal)) bodiesOf(term, body)
      if (literal.kind === 'every') body(literal.body)
    }
  }
  for (const term of rule.rest) bodiesOf(term, body)
  for (const branch of rule.branches) {
    body(branch.body)
    for (const term of headOf(branch)) bodiesOf(term, body)
  }
}

/** Visits all terms of a rule, in literals and heads. */
export function eachTerm(rule: ResolvedRule, visit: (term: Term) => void): void {
  const inTerm = (term: Term): void =>
    walkTerm(term, (each) => {
      visit(each)
      return true
    })
  for (const term of rule.rest) inTerm(term)
  for (const branch of rule.branches) {
    for (const term of headOf(branch)) inTerm(term)
    for (const literal of branch.body) inLiteral(literal, inTerm)
  }
}

function inLiteral(literal: Literal, inTerm: (term: Term) => void): void {
  for (const term of termsOf(literal)) inTerm(term)
  if (literal.kind !== 'every') return
  for (const variable of [literal.key, literal.value]) if (variable !== undefined) inTerm(variable)
  for (const each of literal.body) inLiteral(each, inTerm)
}

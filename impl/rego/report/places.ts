import { walkTerm } from '../compile/visit.ts'
import type { Body, Literal, Module, Rule, Term } from '../syntax/ast.ts'
import type { Span } from '../syntax/source.ts'

/** A location in a module for coverage: a head, or a literal. */
export type Place = { readonly kind: 'head' | 'literal'; readonly span: Span }

/** A key for a location, the same in the syntax tree and in the compiled program. */
export const placeKey = (kind: Place['kind'], span: Span): string =>
  `${kind === 'head' ? 'h' : 'l'}${span.start}:${span.source.file}`

/** All locations of the rules selected by `keep`. */
export function placesOf(module: Module, keep: (rule: Rule) => boolean): readonly Place[] {
  const places: Place[] = []
  const literal = (span: Span): void => {
    places.push({ kind: 'literal', span })
  }
  for (const rule of module.rules) {
    if (!keep(rule)) continue
    for (const { span, body, terms } of branchesOf(rule)) {
      places.push({ kind: 'head', span })
      eachLiteral(body, literal)
      for (const term of terms) literalsIn(term, literal)
    }
  }
  return places
}

type SyntaxBranch = { readonly span: Span; readonly body: Body; readonly terms: readonly Term[] }

/** The rule and its `else` branches. */
function branchesOf({ head, body, elses, span }: Rule): readonly SyntaxBranch[] {
  const terms = [...head.ref.path, head.member, head.value].filter((term) => term !== undefined)
  return [
    { span, body, terms },
    ...elses.map((each) => ({ span: each.span, body: each.body, terms: [each.value] })),
  ]
}

function eachLiteral(body: Body, visit: (span: Span) => void): void {
  for (const each of body) {
    visit(each.span)
    for (const term of termsOf(each)) literalsIn(term, visit)
    if (each.kind === 'every') eachLiteral(each.body, visit)
  }
}

function termsOf(literal: Literal): readonly Term[] {
  const withs = literal.withs.map(({ value }) => value)
  switch (literal.kind) {
    case 'term':
      return [literal.term, ...withs]
    case 'someIn':
      return [literal.domain, ...withs]
    case 'every':
      return [literal.domain, ...withs]
    default:
      return withs
  }
}

const literalsIn = (term: Term, visit: (span: Span) => void): void =>
  walkTerm(term, (part) => {
    if (!('body' in part)) return true
    eachLiteral(part.body, visit)
    if ('head' in part) literalsIn(part.head, visit)
    if ('key' in part) {
      literalsIn(part.key, visit)
      literalsIn(part.value, visit)
    }
    return false
  })

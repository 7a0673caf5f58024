import type { Literal, Ref, Term } from '../syntax/ast.ts'
import { isComprehension, isRootVar, walkBody, walkTerm } from './visit.ts'

/** Properties of a term or literal for the safety check, collected in one walk. */
export type Parts = {
  /** The variables outside closures, with repetitions. */
  vars: string[]
  readonly refs: Ref[]
  /** Comprehensions and templates that are not nested in others. */
  readonly closures: Term[]
}

export type LiteralParts = Parts & {
  readonly literal: Literal
  /** All variables inside its closures, including captured ones. */
  readonly inside: readonly string[]
}

/** The terms of a literal that are evaluated in the body itself. */
export function ownTerms(literal: Literal): readonly Term[] {
  switch (literal.kind) {
    case 'term':
      return [literal.term]
    case 'someIn':
      return literal.key === undefined
        ? [literal.domain, literal.value]
        : [literal.domain, literal.key, literal.value]
    case 'every':
      return [literal.domain]
    case 'some':
      return []
  }
}

export function partsOf(terms: readonly Term[]): Parts {
  const parts: Parts = { vars: [], refs: [], closures: [] }
  for (const term of terms) collect(term, parts)
  return parts
}

/** `isFunction` identifies built-ins that replace a function in `with`, which are not variables. */
export function partsOfLiteral(
  literal: Literal,
  isFunction: (term: Term) => boolean,
): LiteralParts {
  const parts = partsOf(ownTerms(literal))
  for (const { value } of literal.withs) collect(value, parts)
  for (const { value } of literal.withs) {
    if (value.kind !== 'var' || !isFunction(value)) continue
    parts.vars = parts.vars.filter((name) => name !== value.name)
  }
  const { vars, refs, closures } = parts
  return { literal, vars, refs, closures, inside: insideOf(literal, closures) }
}

const NONE: readonly string[] = []

function insideOf(literal: Literal, closures: readonly Term[]): readonly string[] {
  if (closures.length === 0 && literal.kind !== 'every') return NONE
  const names = deepVars(closures)
  if (literal.kind !== 'every') return names
  const { key, value, body } = literal
  walkBody(body, (part) => {
    if (part.kind === 'var' && !isRootVar(part)) names.push(part.name)
    return true
  })
  return names.filter((name) => name !== value.name && name !== key?.name)
}

/** All variables in terms and their descendants, with repetitions. */
export function deepVars(terms: readonly Term[]): string[] {
  const names: string[] = []
  for (const term of terms) {
    walkTerm(term, (part) => {
      if (part.kind === 'var' && !isRootVar(part)) names.push(part.name)
      return true
    })
  }
  return names
}

function collect(term: Term, parts: Parts): void {
  walkTerm(term, (part) => {
    if (part.kind === 'var' && !isRootVar(part)) parts.vars.push(part.name)
    if (part.kind === 'ref') parts.refs.push(part)
    const isClosure = part.kind === 'template' || isComprehension(part)
    if (isClosure) parts.closures.push(part)
    return !isClosure
  })
}

import type { Body, Literal, Term } from '../syntax/ast.ts'
import { isWildcard } from '../syntax/ast.ts'
import { isClosure, literalTerms, walkTerm } from './visit.ts'

/** How a name was introduced into a scope. */
export type Occurrence = 'argument' | 'assigned' | 'declared' | 'seen'

export type Declaration = {
  /** The name that is unique within the rule. */
  readonly name: string
  readonly occurrence: Occurrence
  readonly offset: number
  used: boolean
}

/** The variables of one body: of a rule, a comprehension, or an `every`. */
export class Scope {
  readonly parent: Scope | undefined
  readonly declarations = new Map<string, Declaration>()
  /**
   * Names that `:=` or `some` declares anywhere in the body; these do not refer to rules or
   * imports.
   */
  readonly declares: ReadonlySet<string>
  /** Undeclared names, and their unique names within the rule. */
  readonly free = new Map<string, string>()

  constructor(parent: Scope | undefined, declares: ReadonlySet<string>) {
    this.parent = parent
    this.declares = declares
  }

  /** The declaration that a name refers to at this point, in this body or an enclosing one. */
  find(name: string): Declaration | undefined {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.parent) {
      const found = scope.declarations.get(name)
      if (found !== undefined && found.occurrence !== 'seen') return found
    }
    return undefined
  }

  findFree(name: string): string | undefined {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.parent) {
      const found = scope.free.get(name)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Whether the name is declared in this body or an enclosing one, possibly later. */
  hides(name: string): boolean {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.parent) {
      if (scope.declares.has(name) || scope.declarations.has(name)) return true
    }
    return false
  }
}

/** The variables of a pattern on the left of `:=` or in `some ... in`. */
export function patternVars(term: Term, into: Set<string>): Set<string> {
  if (term.kind === 'var' && !isWildcard(term.name)) into.add(term.name)
  if (term.kind === 'array') for (const item of term.items) patternVars(item, into)
  if (term.kind === 'object') for (const [, value] of term.entries) patternVars(value, into)
  return into
}

/** The names that the literals of a body declare, except in closures. */
export function declaredNames(body: Body): Set<string> {
  const names = new Set<string>()
  for (const literal of body) {
    if (literal.kind === 'some') for (const { name } of literal.vars) names.add(name)
    if (literal.kind === 'someIn') {
      if (literal.key !== undefined) patternVars(literal.key, names)
      patternVars(literal.value, names)
    }
    const target = assignment(literal)
    if (target !== undefined) patternVars(target, names)
  }
  return names
}

/** The left side of `:=`. */
export const assignment = (literal: Literal): Term | undefined =>
  literal.kind === 'term' && literal.term.kind === 'call' && literal.term.infix === ':='
    ? literal.term.args[0]
    : undefined

/** The names that occur in a body outside closures. */
export function directNames(body: Body): Set<string> {
  const names = new Set<string>()
  for (const literal of body) {
    for (const term of literalTerms(literal)) addNames(term, names)
    for (const each of literal.withs) addNames(each.value, names)
  }
  return names
}

function addNames(term: Term, names: Set<string>): void {
  walkTerm(term, (part) => {
    if (part.kind === 'var') names.add(part.name)
    return !isClosure(part)
  })
}

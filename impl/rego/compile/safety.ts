import { RegoError } from '../errors.ts'
import type { Body, Call, Literal, Ref, Term, Var } from '../syntax/ast.ts'
import { writtenName } from '../syntax/ast.ts'
import { Layer, type Names } from './names.ts'
import type { Branch, ResolvedRule } from './resolved.ts'
import { closuresIn, deepVars, isClosure, termVars, walkTerm } from './visit.ts'

/** How many arguments a function takes; undefined when there is no such function. */
export type ArityOf = (operator: Call['operator']) => number | undefined

/**
 * Puts the literals of all bodies into an order in which each variable is bound before it is
 * used; the order is written into the bodies themselves.
 * @throws RegoError `rego_unsafe_var_error` for a variable that nothing binds
 */
export const checkSafety = (rule: ResolvedRule, arityOf: ArityOf): void => {
  const args = new Set(rule.args?.map((arg) => arg.name) ?? [])
  for (const branch of rule.branches) {
    const safety = new Safety(arityOf)
    const bound = safety.body(branch.body, args, args)
    for (const term of headTerms(rule, branch)) safety.head(term, bound, branch.body)
  }
}

/** As {@link checkSafety}, of a query. */
export const checkQuerySafety = (body: Body, arityOf: ArityOf): void => {
  new Safety(arityOf).body(body, NONE, NONE)
}

const NONE: Names = new Set()

/** What the head of a rule is made of, in the order of evaluation. */
export const headTerms = (rule: ResolvedRule, branch: Branch): Term[] => {
  const terms = [...rule.rest]
  if (branch.member !== undefined) terms.push(branch.member)
  if (branch.value !== undefined) terms.push(branch.value)
  return terms
}

class Safety {
  private readonly arityOf: ArityOf

  constructor(arityOf: ArityOf) {
    this.arityOf = arityOf
  }

  /**
   * @param bound what is bound outside
   * @param visible all variables of the bodies around, bound or not
   * @returns what is bound behind the body
   */
  body(body: Body, bound: Names, visible: Names): Layer {
    const all = new Layer(visible)
    for (const literal of body) for (const name of directVars(literal, this.arityOf)) all.add(name)
    const safe = new Layer(bound)
    const order: Literal[] = []
    const stuck = new Stuck()
    let waiting: Literal[] = [...body]
    while (waiting.length > 0) {
      const left: Literal[] = []
      for (const literal of waiting) {
        if (stuck.has(literal)) {
          left.push(literal)
          continue
        }
        const outputs = this.literal(literal, safe, all)
        if (outputs === undefined) {
          stuck.add(literal, this.missing(literal, safe, all))
          left.push(literal)
          continue
        }
        for (const name of outputs) {
          safe.add(name)
          stuck.bound(name)
        }
        this.closures(literal, safe, all)
        order.push(literal)
      }
      if (left.length === waiting.length) this.unsafe(left, safe, all)
      waiting = left
    }
    const own = body as Literal[]
    own.splice(0, own.length, ...order)
    return safe
  }

  head(term: Term, bound: Layer, body: Body, around: Names = bound): void {
    const visible = new Layer({ has: (name) => bound.has(name) || around.has(name) })
    for (const literal of body)
      for (const name of directVars(literal, this.arityOf)) visible.add(name)
    for (const name of termVars(term, false, new Set())) visible.add(name)
    const safe = this.withRefs([term], bound)
    for (const name of safe.own) bound.add(name)
    const unbound = [...termVars(term, false, new Set())].filter((name) => !bound.has(name))
    if (unbound.length > 0) this.report([term], new Set(unbound))
    this.closuresOf(term, bound, visible)
  }

  /** The variables that a literal binds, or undefined when it cannot be evaluated yet. */
  private literal(literal: Literal, safe: Names, all: Names): Iterable<string> | undefined {
    const terms = ownTerms(literal)
    const withValues = literal.withs.map((each) => each.value)
    const vars = directVars(literal, this.arityOf)
    const inside = [...neededInClosures(literal, all)]
    if (literal.negated) {
      return [...vars, ...inside].every((name) => safe.has(name)) ? [] : undefined
    }
    const outside = this.withRefs(withValues, safe)
    for (const value of withValues) {
      for (const name of this.withVars(value)) if (!outside.has(name)) return undefined
      for (const name of closureVars([value], all)) if (!outside.has(name)) return undefined
    }
    const bound = this.withRefs(terms, outside)
    // closures see what references bind, not what the equation around them would
    if (!inside.every((name) => bound.has(name))) return undefined
    if (literal.kind === 'term' && literal.term.kind === 'call') this.call(literal.term, bound)
    if (literal.kind === 'someIn') {
      const domain = termVars(literal.domain, false, new Set())
      if ([...domain].every((name) => bound.has(name))) {
        if (literal.key !== undefined) matched(literal.key, bound)
        matched(literal.value, bound)
      }
    }
    return [...vars].every((name) => bound.has(name)) ? [...outside.own, ...bound.own] : undefined
  }

  /** The variables of a value in `with`; a function that stands for another is none. */
  private withVars(value: Term): Set<string> {
    const names = termVars(value, false, new Set())
    if (value.kind === 'var' && this.arityOf(value) !== undefined) names.delete(value.name)
    return names
  }

  /** What a call as a literal binds: `=`, `:=`, or the output as a further argument. */
  private call(call: Call, bound: Layer): void {
    if (call.infix === '=' || call.infix === ':=') {
      unify(call.args[0] as Term, call.args[1] as Term, bound)
      return
    }
    const arity = this.arityOf(call.operator)
    if (arity === undefined || call.args.length !== arity + 1) return
    const inputs = new Set<string>()
    for (const arg of call.args.slice(0, arity)) termVars(arg, false, inputs)
    if ([...inputs].every((name) => bound.has(name))) matched(call.args[arity] as Term, bound)
  }

  /** What is bound once the references in these terms have been followed: their unbound keys. */
  private withRefs(terms: readonly Term[], safe: Names): Layer {
    const bound = new Layer(safe)
    const refs: Ref[] = []
    for (const term of terms) {
      walkTerm(term, (part) => {
        if (part.kind === 'ref') refs.push(part)
        return !isClosure(part)
      })
    }
    for (let before = -1; bound.size !== before; ) {
      before = bound.size
      for (const ref of refs) {
        const { head } = ref
        const isRoot = head.kind === 'var' && (head.name === 'data' || head.name === 'input')
        if (!isRoot && ![...termVars(head, false, new Set())].every((n) => bound.has(n))) continue
        for (const part of ref.path) {
          if (part.kind !== 'ref' && part.kind !== 'call') matched(part, bound)
        }
      }
    }
    return bound
  }

  private closures(literal: Literal, safe: Names, all: Names): void {
    for (const term of ownTerms(literal)) this.closuresOf(term, safe, all)
    for (const each of literal.withs) this.closuresOf(each.value, safe, all)
    if (literal.kind !== 'every') return
    const inner = new Layer(safe)
    const visible = new Layer(all)
    for (const each of [literal.key, literal.value]) {
      if (each === undefined) continue
      inner.add(each.name)
      visible.add(each.name)
    }
    this.body(literal.body, inner, visible)
  }

  private closuresOf(term: Term, safe: Names, all: Names): void {
    for (const closure of closuresIn(term)) {
      if (closure.kind === 'template') {
        for (const part of closure.parts) {
          if (typeof part === 'string') continue
          const bound = new Layer(safe)
          for (const each of part.withs) this.head(each.value, bound, [])
          for (const own of ownTerms(part)) this.head(own, bound, [], all)
        }
        continue
      }
      if (!isComprehensionBody(closure)) continue
      const bound = this.body(closure.body, safe, all)
      const heads =
        closure.kind === 'objectComprehension' ? [closure.key, closure.value] : [closure.head]
      for (const head of heads) this.head(head, bound, closure.body)
    }
  }

  /** The variables of a literal that are not bound. */
  private missing(literal: Literal, safe: Names, all: Names): Set<string> {
    const missing = new Set<string>()
    for (const name of directVars(literal, this.arityOf)) if (!safe.has(name)) missing.add(name)
    for (const name of neededInClosures(literal, all)) if (!safe.has(name)) missing.add(name)
    return missing
  }

  private unsafe(literals: readonly Literal[], safe: Names, all: Names): never {
    const unbound = new Set<string>()
    for (const literal of literals) {
      for (const name of this.missing(literal, safe, all)) unbound.add(name)
    }
    const terms: Term[] = []
    for (const literal of literals) {
      terms.push(...ownTerms(literal), ...literal.withs.map((each) => each.value))
      if (literal.kind !== 'every') continue
      for (const inner of literal.body) terms.push(...ownTerms(inner))
    }
    return this.report(terms, unbound)
  }

  /** The error of the first of these variables in the text. */
  private report(terms: readonly Term[], names: ReadonlySet<string>): never {
    let first: Var | undefined
    for (const term of terms) {
      walkTerm(term, (part) => {
        if (part.kind === 'var' && names.has(part.name)) {
          if (first === undefined || part.span.start < first.span.start) first = part
        }
        return true
      })
    }
    const name = first === undefined ? [...names][0] : writtenName(first)
    throw new RegoError('rego_unsafe_var_error', `var ${name} is unsafe`, {
      location: first?.span.location,
    })
  }
}

/** Literals that were tried in vain, until one of the variables that they lack is bound. */
class Stuck {
  private readonly literals = new Set<Literal>()
  private readonly byName = new Map<string, Literal[]>()

  has(literal: Literal): boolean {
    return this.literals.has(literal)
  }

  add(literal: Literal, missing: Iterable<string>): void {
    this.literals.add(literal)
    for (const name of missing) {
      const others = this.byName.get(name)
      if (others === undefined) this.byName.set(name, [literal])
      else others.push(literal)
    }
  }

  bound(name: string): void {
    for (const literal of this.byName.get(name) ?? []) this.literals.delete(literal)
    this.byName.delete(name)
  }
}

const isComprehensionBody = (term: Term): term is Extract<Term, { readonly body: Body }> =>
  'body' in term

/** The terms of a literal that are evaluated in the body itself. */
const ownTerms = (literal: Literal): Term[] => {
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

const directVars = (literal: Literal, arityOf: ArityOf): Set<string> => {
  const names = new Set<string>()
  for (const term of ownTerms(literal)) termVars(term, false, names)
  for (const each of literal.withs) termVars(each.value, false, names)
  for (const each of literal.withs) {
    // a built-in that stands for another function is no variable
    const { value } = each
    if (value.kind === 'var' && arityOf(value) !== undefined) names.delete(value.name)
  }
  return names
}

/** The variables of bodies around that the closures in these terms use. */
const closureVars = (terms: readonly Term[], all: Names): Set<string> => {
  const needed = new Set<string>()
  for (const term of terms) {
    for (const closure of closuresIn(term)) {
      for (const name of termVars(closure, true, new Set())) if (all.has(name)) needed.add(name)
    }
  }
  return needed
}

const neededInClosures = (literal: Literal, all: Names): Set<string> => {
  const withs = literal.withs.map((each) => each.value)
  const needed = closureVars([...ownTerms(literal), ...withs], all)
  if (literal.kind === 'every') {
    for (const name of deepVars(literal.body)) if (all.has(name)) needed.add(name)
    needed.delete(literal.value.name)
    if (literal.key !== undefined) needed.delete(literal.key.name)
  }
  return needed
}

/** A pattern against a value: all its variables become bound. */
const matched = (pattern: Term, bound: Layer): void => {
  switch (pattern.kind) {
    case 'var':
      if (pattern.name !== 'data' && pattern.name !== 'input') bound.add(pattern.name)
      break
    case 'array':
      for (const item of pattern.items) matched(item, bound)
      break
    case 'object': {
      for (let before = -1; bound.size !== before; ) {
        before = bound.size
        for (const [key, value] of pattern.entries) {
          if (isGround(key, bound)) matched(value, bound)
        }
      }
      break
    }
    default:
  }
}

/** What `a = b` binds, given what is bound already. */
const unify = (a: Term, b: Term, bound: Layer): void => {
  for (let before = -1; bound.size !== before; ) {
    before = bound.size
    unifyOnce(a, b, bound)
  }
}

const isGround = (term: Term, bound: Names): boolean => {
  for (const name of termVars(term, false, new Set())) if (!bound.has(name)) return false
  return true
}

const unifyOnce = (a: Term, b: Term, bound: Layer): void => {
  if (a.kind === 'array' && b.kind === 'array') {
    if (a.items.length !== b.items.length) return
    a.items.forEach((item, i) => {
      unifyOnce(item, b.items[i] as Term, bound)
    })
    return
  }
  const keys = a.kind === 'object' && b.kind === 'object' ? [...a.entries, ...b.entries] : []
  if (a.kind === 'object' && b.kind === 'object' && keys.every(([k]) => k.kind === 'scalar')) {
    for (const [key, value] of a.entries) {
      const other = b.entries.find(([k]) => sameKey(k, key))
      if (other !== undefined) unifyOnce(value, other[1], bound)
    }
    return
  }
  if (isGround(a, bound)) matched(b, bound)
  else if (isGround(b, bound)) matched(a, bound)
}

/** Two keys of object patterns that are known to be the same. */
export const sameKey = (a: Term, b: Term): boolean =>
  (a.kind === 'scalar' && b.kind === 'scalar' && a.value === b.value) ||
  (a.kind === 'var' && b.kind === 'var' && a.name === b.name)

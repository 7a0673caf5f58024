import { RegoError } from '../errors.ts'
import type { Body, Call, Literal, Ref, Term, Var } from '../syntax/ast.ts'
import { variable, writtenName } from '../syntax/ast.ts'
import { isGround, matched, unify } from './binding.ts'
import { deepVars, type LiteralParts, ownTerms, partsOf, partsOfLiteral } from './literalParts.ts'
import { Layer, type Names } from './names.ts'
import type { Branch, ResolvedRule } from './resolved.ts'
import { walkTerm } from './visit.ts'

/** The arity of a function; undefined if there is none. */
export type ArityOf = (operator: Call['operator']) => number | undefined

/**
 * Sorts the literals of all bodies, in place, so that each variable is bound before it is used.
 *
 * @throws RegoError `rego_unsafe_var_error` for a variable that is never bound
 */
export function checkSafety(rule: ResolvedRule, arityOf: ArityOf): void {
  const args = new Set(rule.args?.map((arg) => arg.name) ?? [])
  for (const branch of rule.branches) {
    const safety = new Safety(arityOf)
    const bound = safety.body(branch.body, args, args)
    for (const term of headTerms(rule, branch)) safety.head(term, bound, branch.body)
  }
}

/** Like {@link checkSafety}, for a query. */
export function checkQuerySafety(body: Body, arityOf: ArityOf): void {
  new Safety(arityOf).body(body, NONE, NONE)
}

const NONE: Names = new Set()

/** The terms of a rule's head, in the order of evaluation. */
export function headTerms(rule: ResolvedRule, branch: Branch): Term[] {
  const terms = [...rule.rest]
  if (branch.member !== undefined) terms.push(branch.member)
  if (branch.value !== undefined) terms.push(branch.value)
  return terms
}

/** The variables bound by a literal that uses only bound ones. */
const NOTHING: readonly string[] = []

class Safety {
  private readonly arityOf: ArityOf
  private readonly isFunction = (term: Term): boolean =>
    this.arityOf(term as Call['operator']) !== undefined

  constructor(arityOf: ArityOf) {
    this.arityOf = arityOf
  }

  /**
   * @param bound variables bound outside
   * @param visible all variables of the enclosing bodies, bound or not
   * @returns the variables bound after the body
   */
  body(body: Body, bound: Names, visible: Names): Layer {
    const all = new Layer(visible)
    let waiting: LiteralParts[] = []
    for (const literal of body) {
      const parts = partsOfLiteral(literal, this.isFunction)
      for (const name of parts.vars) all.add(name)
      waiting.push(parts)
    }
    const safe = new Layer(bound)
    const order: Literal[] = []
    const stuck = new Stuck()
    while (waiting.length > 0) {
      const left: LiteralParts[] = []
      for (const parts of waiting) {
        if (stuck.has(parts)) {
          left.push(parts)
          continue
        }
        const outputs = this.literal(parts, safe, all)
        if (outputs === undefined) {
          stuck.add(parts, missing(parts, safe, all))
          left.push(parts)
          continue
        }
        for (const name of outputs) {
          safe.add(name)
          stuck.bound(name)
        }
        this.closures(parts, safe, all)
        order.push(parts.literal)
      }
      if (left.length === waiting.length) this.unsafe(left, safe, all)
      waiting = left
    }
    const own = body as Literal[]
    for (let i = 0; i < order.length; i++) own[i] = order[i] as Literal
    return safe
  }

  head(term: Term, bound: Layer, body: Body, around: Names = bound): void {
    const { vars, refs, closures } = partsOf([term])
    if (!vars.every((name) => bound.has(name))) {
      for (const name of withRefs(refs, bound).own) bound.add(name)
      const unbound = vars.filter((name) => !bound.has(name))
      if (unbound.length > 0) this.report([term], new Set(unbound))
    }
    if (closures.length === 0) return
    const visible = new Layer({ has: (name) => bound.has(name) || around.has(name) })
    for (const literal of body) {
      for (const name of partsOfLiteral(literal, this.isFunction).vars) visible.add(name)
    }
    for (const name of vars) visible.add(name)
    this.closuresOf(closures, bound, visible)
  }

  /** The variables that a literal binds, or undefined if it cannot be evaluated yet. */
  private literal(parts: LiteralParts, safe: Names, all: Names): Iterable<string> | undefined {
    const { literal, vars, inside } = parts
    const isClosed = inside.every((name) => safe.has(name) || !all.has(name))
    if (isClosed && vars.every((name) => safe.has(name))) return NOTHING
    if (literal.negated) return undefined
    const values = literal.withs.map((each) => each.value)
    const outside = withRefs(partsOf(values).refs, safe)
    for (const value of values) {
      const own = partsOf([value])
      const isName = value.kind === 'var' && this.isFunction(value)
      if (!isName && own.vars.some((name) => !outside.has(name))) return undefined
      const closed = deepVars(own.closures)
      if (closed.some((name) => all.has(name) && !outside.has(name))) return undefined
    }
    if (!this.hasOrder(literal, outside)) return undefined
    const refs = literal.withs.length === 0 ? parts.refs : partsOf(ownTerms(literal)).refs
    const bound = withRefs(refs, outside)
    // Closures see variables bound by references, but not those bound by the enclosing equation.
    if (!inside.every((name) => bound.has(name) || !all.has(name))) return undefined
    if (literal.kind === 'term' && literal.term.kind === 'call') this.call(literal.term, bound)
    if (literal.kind === 'someIn' && isGround(literal.domain, bound)) {
      if (literal.key !== undefined) matched(literal.key, bound)
      matched(literal.value, bound)
    }
    return vars.every((name) => bound.has(name)) ? [...outside.own, ...bound.own] : undefined
  }

  /**
   * Whether the calls within a literal can be evaluated one after the other, as OPA does: each binds the keys of its own
   * references only once all of its operands have values. `xs[i] == f(i)` has no such order.
   */
  private hasOrder(literal: Literal, outside: Names): boolean {
    if (literal.kind !== 'term') return true
    const calls: (readonly [name: string, call: Term])[] = []
    const all = (terms: readonly Term[]): Term[] => terms.map((term) => apart(term, calls))
    const { term } = literal
    const whole = term.kind === 'call' ? { ...term, args: all(term.args) } : apart(term, calls)
    if (calls.length === 0) return true
    let waiting: (readonly [name: string | undefined, term: Term])[] = [
      ...calls,
      [undefined, whole],
    ]
    const bound = new Layer(outside)
    for (let before = 0; waiting.length !== before; ) {
      before = waiting.length
      waiting = waiting.filter(([name, each]) => {
        const { vars, refs } = partsOf([each])
        const own = withRefs(refs, bound)
        if (name === undefined && each.kind === 'call') this.call(each, own)
        if (!vars.every((one) => own.has(one))) return true
        for (const one of own.own) bound.add(one)
        if (name !== undefined) bound.add(name)
        return false
      })
    }
    return waiting.length === 0
  }

  /** The variables bound by a call used as a literal: `=`, `:=`, or an output argument. */
  private call(call: Call, bound: Layer): void {
    if (call.infix === '=' || call.infix === ':=') {
      unify(call.args[0] as Term, call.args[1] as Term, bound)
      return
    }
    const arity = this.arityOf(call.operator)
    if (arity === undefined || call.args.length !== arity + 1) return
    for (let i = 0; i < arity; i++) if (!isGround(call.args[i] as Term, bound)) return
    matched(call.args[arity] as Term, bound)
  }

  private closures({ literal, closures }: LiteralParts, safe: Names, all: Names): void {
    this.closuresOf(closures, safe, all)
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

  private closuresOf(closures: readonly Term[], safe: Names, all: Names): void {
    for (const closure of closures) {
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

  private unsafe(literals: readonly LiteralParts[], safe: Names, all: Names): never {
    const unbound = new Set<string>()
    for (const parts of literals) for (const name of missing(parts, safe, all)) unbound.add(name)
    const terms: Term[] = []
    for (const { literal } of literals) {
      terms.push(...ownTerms(literal), ...literal.withs.map((each) => each.value))
      if (literal.kind !== 'every') continue
      for (const inner of literal.body) terms.push(...ownTerms(inner))
    }
    return this.report(terms, unbound)
  }

  /** The error for the first of these variables in the text. */
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

/** A term with a variable in place of each call, which is added to `calls`, those within it first. */
function apart(term: Term, calls: (readonly [string, Term])[]): Term {
  const all = (terms: readonly Term[]): Term[] => terms.map((each) => apart(each, calls))
  switch (term.kind) {
    case 'call': {
      const call = { ...term, args: all(term.args) }
      const name = `#call${calls.length}`
      calls.push([name, call])
      return variable(name, term.span)
    }
    case 'ref':
      return { ...term, head: apart(term.head, calls), path: all(term.path) }
    case 'array':
    case 'set':
      return { ...term, items: all(term.items) }
    case 'object':
      return { ...term, entries: term.entries.map(([k, v]) => [apart(k, calls), apart(v, calls)]) }
    default:
      return term
  }
}

/** The unbound variables of a literal. */
function missing({ vars, inside }: LiteralParts, safe: Names, all: Names): Set<string> {
  const names = new Set<string>()
  for (const name of vars) if (!safe.has(name)) names.add(name)
  for (const name of inside) if (all.has(name) && !safe.has(name)) names.add(name)
  return names
}

/** The variables bound by following these references: their unbound keys. */
function withRefs(refs: readonly Ref[], safe: Names): Layer {
  const bound = new Layer(safe)
  for (let before = -1; bound.size !== before; ) {
    before = bound.size
    for (const { head, path } of refs) {
      if (!isGround(head, bound)) continue
      for (const part of path) {
        if (part.kind !== 'ref' && part.kind !== 'call') matched(part, bound)
      }
    }
  }
  return bound
}

/** Literals that could not be evaluated, until one of their missing variables is bound. */
class Stuck {
  private literals: Set<LiteralParts> | undefined
  private byName: Map<string, LiteralParts[]> | undefined

  has(literal: LiteralParts): boolean {
    return this.literals?.has(literal) ?? false
  }

  add(literal: LiteralParts, missing: Iterable<string>): void {
    this.literals ??= new Set()
    this.literals.add(literal)
    this.byName ??= new Map()
    for (const name of missing) {
      const others = this.byName.get(name)
      if (others === undefined) this.byName.set(name, [literal])
      else others.push(literal)
    }
  }

  bound(name: string): void {
    const waiting = this.byName?.get(name)
    if (waiting === undefined) return
    for (const literal of waiting) this.literals?.delete(literal)
    this.byName?.delete(name)
  }
}

const isComprehensionBody = (term: Term): term is Extract<Term, { readonly body: Body }> =>
  'body' in term

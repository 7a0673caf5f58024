import type { Builtin } from '../builtins/builtin.ts'
import { functionArity, nodeAt } from '../compile/calls.ts'
import type { DocNode, DocTree } from '../compile/documents.ts'
import { constantPath, isDataRef } from '../compile/references.ts'
import { sameKey } from '../compile/safety.ts'
import { isClosure, walkTerm } from '../compile/visit.ts'
import type {
  Body,
  Call,
  Comprehension,
  Literal,
  Ref,
  Template,
  Term,
  With,
} from '../syntax/ast.ts'
import { isWildcard } from '../syntax/ast.ts'
import { RegoObject } from '../values/object.ts'
import { RegoSet } from '../values/set.ts'
import type { Value } from '../values/value.ts'
import {
  type Block,
  type Expr,
  isConstant,
  type Pattern,
  type Step,
  type TemplatePart,
  type WithPlan,
} from './plan.ts'

/** What planning has to know of the program around. */
export type PlanContext = {
  readonly tree: DocTree
  readonly builtins: ReadonlyMap<string, Builtin>
  /** The value of a call that is known from the place where it stands (`rego.metadata.rule`). */
  readonly constantCall?: (name: string) => Value | undefined
}

const ANY: Pattern = { kind: 'any' }
const TRUE: Expr = { op: 'const', value: true }

/** Lowers the bodies of one rule or query; its slots are counted over all of them. */
export class Planner {
  private readonly context: PlanContext
  private slots: number
  private steps: Step[] = []
  private bound = new Map<string, number>()
  /** References that were followed already, and where their values are. */
  private followed = new Map<Term, number>()
  private literal: Literal | undefined
  /** For queries: where the values of the literals at the top are kept. */
  private kept: Map<Literal, number> | undefined

  constructor(context: PlanContext, slots: number) {
    this.context = context
    this.slots = slots
  }

  get slotCount(): number {
    return this.slots
  }

  /** Starts a new body, in which only these variables are bound. */
  begin(bound: ReadonlyMap<string, number>): void {
    this.bound = new Map(bound)
    this.steps = []
    this.followed = new Map()
  }

  /** The steps planned since `begin`. */
  finish(): Block {
    return this.steps
  }

  slotOf(name: string): number | undefined {
    return this.bound.get(name)
  }

  body(body: Body): void {
    for (const literal of body) this.planLiteral(literal)
  }

  /**
   * As `body`, keeping the value of each literal that is a plain term.
   * @returns their slots; a false value fails only where the query iterates or goes on
   */
  query(body: Body): ReadonlyMap<Literal, number> {
    const kept = new Map<Literal, number>()
    this.onlyLiteral = body.length === 1
    for (const literal of body) {
      this.kept = literal.kind === 'term' && !literal.negated ? kept : undefined
      this.planLiteral(literal)
    }
    this.kept = undefined
    return kept
  }

  private onlyLiteral = false

  /** The value of a term, with steps for whatever it iterates over. */
  value(term: Term): Expr {
    this.follow([term])
    return this.expr(term)
  }

  private newSlot(): number {
    return this.slots++
  }

  private emit(step: Step): void {
    this.steps.push(this.literal === undefined ? step : { ...step, literal: this.literal })
  }

  /** Plans into a list of steps of its own. */
  private block(plan: () => void): Block {
    const outer = this.steps
    this.steps = []
    plan()
    const block = this.steps
    this.steps = outer
    return block
  }

  /** As `block`; what is bound inside is not bound behind it. */
  private closed(plan: () => void): Block {
    const { bound, followed, literal, kept } = this
    this.kept = undefined
    this.bound = new Map(bound)
    this.followed = new Map(followed)
    const block = this.block(plan)
    this.bound = bound
    this.followed = followed
    this.literal = literal
    this.kept = kept
    return block
  }

  private planLiteral(literal: Literal): void {
    this.literal = literal
    if (literal.withs.length === 0) {
      this.positive(literal)
    } else {
      const withs = literal.withs.map((each) => this.planWith(each))
      const block = this.block(() => this.positive(literal))
      this.emit({ op: 'with', withs, block })
    }
    this.literal = undefined
  }

  private positive(literal: Literal): void {
    if (literal.negated) {
      this.emit({ op: 'not', block: this.closed(() => this.literalSteps(literal)) })
    } else {
      this.literalSteps(literal)
    }
  }

  private literalSteps(literal: Literal): void {
    this.literalParts(literal)
    this.compareDeferred()
  }

  private literalParts(literal: Literal): void {
    switch (literal.kind) {
      case 'term':
        this.termLiteral(literal.term)
        break
      case 'someIn': {
        const over = this.value(literal.domain)
        const terms = literal.key === undefined ? [literal.value] : [literal.key, literal.value]
        this.follow(terms)
        const key = literal.key === undefined ? ANY : this.pattern(literal.key)
        this.emit({ op: 'scan', over, key, value: this.pattern(literal.value) })
        break
      }
      case 'every': {
        const over = this.value(literal.domain)
        let key = ANY
        let value = ANY
        const block = this.closed(() => {
          if (literal.key !== undefined) key = this.pattern(literal.key)
          value = this.pattern(literal.value)
          this.body(literal.body)
        })
        this.emit({ op: 'every', over, key, value, block })
        break
      }
      case 'some':
        break
    }
  }

  private termLiteral(term: Term): void {
    if (term.kind !== 'call') {
      this.test(this.value(term))
      return
    }
    const [a, b] = term.args
    if (term.infix === '=' || term.infix === ':=') {
      this.follow(term.args)
      this.unify(a as Term, b as Term)
      return
    }
    const arity = this.arity(term.operator)
    const { builtin } = this.operator(term)
    const output = term.args.length === arity + 1 && builtin?.variadic === undefined
    if (builtin?.relation) {
      this.follow(term.args)
      const args = term.args.slice(0, arity)
      const call = this.expr({ ...term, args }) as Expr & { op: 'call' }
      const pattern = output ? this.pattern(term.args[arity] as Term) : ANY
      this.emit({ op: 'relation', call, pattern })
      return
    }
    if (!output) {
      this.test(this.value(term))
      return
    }
    this.follow(term.args)
    const value = this.expr({ ...term, args: term.args.slice(0, arity) })
    this.equate(term.args[arity] as Term, value)
  }

  private test(expr: Expr): void {
    if (this.kept !== undefined && this.literal !== undefined) {
      const slot = this.newSlot()
      this.emit({ op: 'let', slot, expr })
      this.kept.set(this.literal, slot)
      const iterates = this.steps.some(({ op }) => op === 'scan' || op === 'docScan')
      if (!this.onlyLiteral || iterates) this.emit({ op: 'test', expr: { op: 'slot', slot } })
      return
    }
    if (expr.op === 'const' && expr.value !== false) return
    this.emit({ op: 'test', expr })
  }

  private arity(operator: Call['operator']): number {
    if (operator.kind === 'var') {
      return this.context.builtins.get(operator.name)?.args.length ?? 0
    }
    const node = nodeAt(this.context.tree, operator)
    return (node === undefined ? undefined : functionArity(node)) ?? 0
  }

  private operator(call: Call): { builtin?: Builtin; node?: DocNode } {
    const { operator } = call
    const found =
      operator.kind === 'var'
        ? { builtin: this.context.builtins.get(operator.name) }
        : { node: nodeAt(this.context.tree, operator) }
    return found as { builtin?: Builtin; node?: DocNode }
  }

  // --- unification -------------------------------------------------------------------------

  private isGround(term: Term): boolean {
    let ground = true
    walkTerm(term, (part) => {
      if (this.followed.has(part)) return false
      if (part.kind === 'var' && !this.isBound(part.name)) ground = false
      return ground && !isClosure(part)
    })
    return ground
  }

  private isBound(name: string): boolean {
    return name === 'data' || name === 'input' || this.bound.has(name)
  }

  /** Splits `a = b` into equations with one side known, in an order in which that holds. */
  private unify(a: Term, b: Term): void {
    let pairs = this.pairs(a, b)
    while (pairs.length > 0) {
      const left: [Term, Term][] = []
      for (const [x, y] of pairs) {
        if (this.isGround(x)) this.equate(y, this.expr(x))
        else if (this.isGround(y)) this.equate(x, this.expr(y))
        else left.push([x, y])
      }
      if (left.length === pairs.length) {
        // two sides of which neither is known: cannot happen behind the safety check, unless
        // variables are wildcards
        for (const [x, y] of left) {
          this.bindAll(x)
          this.equate(y, this.expr(x))
        }
        return
      }
      pairs = left
    }
  }

  private bindAll(term: Term): void {
    walkTerm(term, (part) => {
      if (part.kind === 'var' && !this.isBound(part.name)) {
        const slot = this.newSlot()
        this.emit({ op: 'let', slot, expr: { op: 'const', value: null } })
        this.bound.set(part.name, slot)
      }
      return !isClosure(part)
    })
  }

  private pairs(a: Term, b: Term): [Term, Term][] {
    if (a.kind === 'array' && b.kind === 'array') {
      if (a.items.length !== b.items.length) return this.never(a, b)
      return a.items.flatMap((item, i) => this.pairs(item, b.items[i] as Term))
    }
    if (a.kind === 'object' && b.kind === 'object') {
      const pairs: [Term, Term][] = []
      for (const [key, value] of a.entries) {
        const other = b.entries.find(([k]) => sameKey(k, key))
        if (other === undefined) {
          const known = [...a.entries, ...b.entries].every(([k]) => k.kind === 'scalar')
          return known ? this.never(a, b) : [[a, b]]
        }
        pairs.push(...this.pairs(value, other[1]))
      }
      return a.entries.length === b.entries.length ? pairs : this.never(a, b)
    }
    return [[a, b]]
  }

  /** Two sides that cannot be equal; the steps behind still need slots for the variables. */
  private never(a: Term, b: Term): [] {
    this.emit({ op: 'test', expr: { op: 'const', value: false } })
    this.bindAll(a)
    this.bindAll(b)
    return []
  }

  /** `term = value`, with the value known. */
  private equate(term: Term, value: Expr): void {
    if (term.kind === 'var' && !this.isBound(term.name)) {
      this.bind(term.name, value)
      return
    }
    this.emit({ op: 'match', pattern: this.pattern(term), expr: value })
  }

  /** A variable is a name for a slot that is there already, or for a new one. */
  private bind(name: string, value: Expr): void {
    if (value.op === 'slot') {
      this.bound.set(name, value.slot)
      return
    }
    const slot = this.newSlot()
    this.emit({ op: 'let', slot, expr: value })
    if (!isWildcard(name)) this.bound.set(name, slot)
  }

  private pattern(term: Term): Pattern {
    switch (term.kind) {
      case 'var': {
        if (this.isBound(term.name)) return { kind: 'equal', expr: this.expr(term) }
        if (isWildcard(term.name)) return ANY
        const slot = this.newSlot()
        this.bound.set(term.name, slot)
        return { kind: 'bind', slot }
      }
      case 'array':
        if (this.isGround(term)) break
        return { kind: 'array', items: term.items.map((item) => this.pattern(item)) }
      case 'object':
        if (this.isGround(term)) break
        return this.objectPattern(term.entries)
      default:
    }
    if (this.isGround(term)) return { kind: 'equal', expr: this.expr(term) }
    // `[count(x), x] = pair`: compared once the rest of the pattern has bound its variables
    const slot = this.newSlot()
    this.deferred.push({ term, slot })
    return { kind: 'bind', slot }
  }

  /** Members in an order in which keys are known: the value of one may be the key of another. */
  private objectPattern(all: readonly (readonly [Term, Term])[]): Pattern {
    const entries: [Expr, Pattern][] = []
    let waiting = all
    while (waiting.length > 0) {
      const left = waiting.filter(([key, value]) => {
        if (!this.isGround(key)) return true
        entries.push([this.expr(key), this.pattern(value)])
        return false
      })
      if (left.length === waiting.length) throw new Error('object pattern has an unknown key')
      waiting = left
    }
    return { kind: 'object', entries }
  }

  private deferred: { readonly term: Term; readonly slot: number }[] = []

  private compareDeferred(): void {
    const { deferred } = this
    this.deferred = []
    for (const { term, slot } of deferred) {
      this.emit({
        op: 'match',
        pattern: { kind: 'equal', expr: this.expr(term) },
        expr: { op: 'slot', slot },
      })
    }
  }

  // --- references --------------------------------------------------------------------------

  /** Plans the loops of all references in these terms that have unbound keys. */
  private follow(terms: readonly Term[]): void {
    const refs: Ref[] = []
    for (const term of terms) this.collect(term, refs)
    let waiting = refs.filter((ref) => !this.isGround(ref))
    while (waiting.length > 0) {
      const left = waiting.filter((ref) => !this.tryFollow(ref))
      if (left.length === waiting.length) return
      waiting = left
    }
  }

  /** References inside out: what a key needs comes first. */
  private collect(term: Term, into: Ref[]): void {
    if (isClosure(term)) return
    switch (term.kind) {
      case 'ref':
        this.collect(term.head, into)
        for (const part of term.path) this.collect(part, into)
        into.push(term)
        break
      case 'array':
      case 'set':
        for (const item of term.items) this.collect(item, into)
        break
      case 'object':
        for (const [key, value] of term.entries) {
          this.collect(key, into)
          this.collect(value, into)
        }
        break
      case 'call':
        for (const arg of term.args) this.collect(arg, into)
        break
      default:
    }
  }

  private tryFollow(ref: Ref): boolean {
    if (!this.isGround(ref.head)) return false
    for (const part of ref.path) {
      const isPattern = part.kind === 'var' || part.kind === 'array' || part.kind === 'object'
      if (!isPattern && !this.isGround(part)) return false
    }
    const slot = isDataRef(ref)
      ? this.followData(ref)
      : this.followValue(this.expr(ref.head), ref.path)
    this.followed.set(ref, slot)
    return true
  }

  /** Loops over the unbound keys of a path into a value. @returns the slot of what is found */
  private followValue(base: Expr, path: readonly Term[]): number {
    let over = base
    let keys: Expr[] = []
    for (const part of path) {
      if (this.isGround(part)) {
        keys.push(this.expr(part))
        continue
      }
      const key = this.pattern(part)
      const slot = this.newSlot()
      this.emit({ op: 'scan', over: into(over, keys), key, value: { kind: 'bind', slot } })
      over = { op: 'slot', slot }
      keys = []
    }
    const value = into(over, keys)
    if (value.op === 'slot') return value.slot
    const slot = this.newSlot()
    this.emit({ op: 'let', slot, expr: value })
    return slot
  }

  private followData(ref: Ref): number {
    const { node, depth, outside } = this.descend(ref.path)
    if (node.kind !== undefined || outside) {
      const ground = this.groundPrefix(ref.path)
      return this.followValue(this.data(ref.path.slice(0, ground)), ref.path.slice(ground))
    }
    let from = this.newSlot()
    this.emit({ op: 'docEnter', slot: from, node })
    for (const part of ref.path.slice(depth)) {
      const to = this.newSlot()
      if (this.isGround(part)) this.emit({ op: 'docStep', from, to, key: this.expr(part) })
      else this.emit({ op: 'docScan', from, to, key: this.pattern(part) })
      from = to
    }
    const to = this.newSlot()
    this.emit({ op: 'docForce', from, to })
    return to
  }

  private groundPrefix(path: readonly Term[]): number {
    const first = path.findIndex((part) => !this.isGround(part))
    return first < 0 ? path.length : first
  }

  /** The deepest node that constants lead to; `outside` when the path leaves the tree there. */
  private descend(path: readonly Term[]): { node: DocNode; depth: number; outside: boolean } {
    let node = this.context.tree.root
    let depth = 0
    for (const key of constantPath(path)) {
      if (node.kind !== undefined) break
      const child = node.children.get(key)
      if (child === undefined) return { node, depth, outside: true }
      node = child
      depth++
    }
    const outside = node.kind === undefined && node.children.size === 0 && !node.isPackage
    return { node, depth, outside }
  }

  /** A reference below `data` with all keys known. */
  private data(path: readonly Term[]): Expr {
    const { node, depth, outside } = this.descend(path)
    if (outside) return { op: 'base', path: path.map((part) => this.expr(part)) }
    const rest = path.slice(depth).map((part) => this.expr(part))
    return { op: node.kind === undefined ? 'tree' : 'rule', node, path: rest }
  }

  // --- expressions -------------------------------------------------------------------------

  /** The value of a term whose variables are all bound. */
  private expr(term: Term): Expr {
    const followed = this.followed.get(term)
    if (followed !== undefined) return { op: 'slot', slot: followed }
    switch (term.kind) {
      case 'scalar':
        return { op: 'const', value: term.value }
      case 'var': {
        if (term.name === 'input') return { op: 'input' }
        const slot = this.bound.get(term.name)
        if (slot === undefined) throw new Error(`variable ${term.name} has no slot`)
        return { op: 'slot', slot }
      }
      case 'ref':
        if (isDataRef(term)) return this.data(term.path)
        return into(
          this.expr(term.head),
          term.path.map((part) => this.expr(part)),
        )
      case 'array':
        return folded({ op: 'array', items: term.items.map((item) => this.expr(item)) })
      case 'set':
        return folded({ op: 'set', items: term.items.map((item) => this.expr(item)) })
      case 'object':
        return folded({
          op: 'object',
          entries: term.entries.map(([k, v]) => [this.expr(k), this.expr(v)] as const),
        })
      case 'call':
        return this.call(term)
      case 'template':
        return this.template(term)
      default:
        return this.comprehension(term)
    }
  }

  private call(term: Call): Expr {
    const { builtin, node } = this.operator(term)
    const args = term.args.map((arg) => this.expr(arg))
    if (node !== undefined) return { op: 'apply', node, args, span: term.span }
    if (builtin === undefined) throw new Error(`no function ${term.operator.span.text}`)
    if (builtin.name === 'print') return { op: 'print', args }
    const constant = this.context.constantCall?.(builtin.name)
    if (constant !== undefined) return { op: 'const', value: constant }
    return { op: 'call', builtin, args, span: term.span }
  }

  private comprehension(term: Comprehension): Expr {
    const slot = this.newSlot()
    let key: Expr | undefined
    let value: Expr = TRUE
    const block = this.closed(() => {
      this.body(term.body)
      if (term.kind === 'objectComprehension') {
        this.follow([term.key, term.value])
        key = this.expr(term.key)
        value = this.expr(term.value)
      } else {
        value = this.value(term.head)
      }
    })
    const kind =
      term.kind === 'arrayComprehension'
        ? 'array'
        : term.kind === 'setComprehension'
          ? 'set'
          : 'object'
    return { op: 'comprehension', kind, block, key, value, slot, span: term.span }
  }

  private template(term: Template): Expr {
    const parts = term.parts.map((part) => {
      if (typeof part === 'string') return part
      let value: Expr = TRUE
      const slot = this.newSlot()
      const inner = this.newSlot()
      const block = this.closed(() => {
        const withs = part.withs.map((each) => this.planWith(each))
        const steps = this.block(() => {
          value = part.kind === 'term' ? this.value(part.term) : TRUE
          this.emit({ op: 'let', slot: inner, expr: value })
        })
        if (withs.length > 0) this.emit({ op: 'with', withs, block: steps })
        else this.steps.push(...steps)
      })
      const planned: TemplatePart = { block, value: { op: 'slot', slot: inner }, slot }
      return planned
    })
    return { op: 'template', parts, span: term.span }
  }

  // --- with --------------------------------------------------------------------------------

  private planWith(each: With): WithPlan {
    const { target, value } = each
    if (target.kind === 'var') {
      return { target: { kind: 'function', name: target.name }, value: this.replacement(value) }
    }
    const ref = target as Ref
    const path = constantPath(ref.path)
    if (!isDataRef(ref)) return { target: { kind: 'input', path }, value: this.value(value) }
    const node = nodeAt(this.context.tree, ref)
    if (node?.kind === 'function') {
      const name = functionKey(node)
      return { target: { kind: 'function', name }, value: this.replacement(value) }
    }
    return { target: { kind: 'data', path, hides: node }, value: this.value(value) }
  }

  /** What stands in for a function: another function, or a value. */
  private replacement(term: Term): WithPlan['value'] {
    if (term.kind === 'var' && !this.isBound(term.name)) {
      const target = this.context.builtins.get(term.name)
      if (target !== undefined) return { op: 'function', target }
    }
    if (isDataRef(term)) {
      const target = nodeAt(this.context.tree, term)
      if (target?.kind === 'function') return { op: 'function', target }
    }
    return this.value(term)
  }
}

/** How contexts name a function of the policy that `with` replaces. */
export const functionKey = (node: DocNode): string => `#${node.id}`

const into = (base: Expr, path: readonly Expr[]): Expr => {
  if (path.length === 0) return base
  if (base.op === 'lookup' || base.op === 'base' || base.op === 'rule' || base.op === 'tree') {
    return { ...base, path: [...base.path, ...path] }
  }
  return { op: 'lookup', base, path }
}

/** A composite of constants is a constant. */
const folded = (expr: Expr & { op: 'array' | 'set' | 'object' }): Expr => {
  if (expr.op === 'object') {
    if (!expr.entries.every(([k, v]) => isConstant(k) && isConstant(v))) return expr
    const entries = expr.entries.flatMap(([k, v]) =>
      isConstant(k) && isConstant(v) ? [[k.value, v.value] as const] : [],
    )
    return { op: 'const', value: RegoObject.from(entries) }
  }
  if (!expr.items.every(isConstant)) return expr
  const items = expr.items.map((item) => item.value)
  return { op: 'const', value: expr.op === 'array' ? items : RegoSet.from(items) }
}

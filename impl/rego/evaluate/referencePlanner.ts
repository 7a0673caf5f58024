import { isDataRef } from '../compile/references.ts'
import { isClosure } from '../compile/visit.ts'
import type { Call, Ref, Term } from '../syntax/ast.ts'
import { isWildcard } from '../syntax/ast.ts'
import { ExpressionPlanner, into } from './expressionPlanner.ts'
import type { Expr, Pattern } from './plan.ts'

export const ANY: Pattern = { kind: 'any' }

/** A term with any number of values. */
type Loop = Ref | Call

/** Plans references with unbound keys, and relations, as loops, and binding terms as patterns. */
export abstract class ReferencePlanner extends ExpressionPlanner {
  /** Plans the loops of all relations, and references with unbound keys, in these terms. */
  protected follow(terms: readonly Term[]): void {
    const loops: Loop[] = []
    for (const term of terms) this.collect(term, loops)
    let waiting = loops.filter((loop) => !this.isGround(loop))
    while (waiting.length > 0) {
      const left = waiting.filter((loop) => !this.tryFollow(loop))
      if (left.length === waiting.length) return
      waiting = left
    }
  }

  /** References and relations in post-order: those that a key or argument needs come first. */
  protected collect(term: Term, into: Loop[]): void {
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
        if (this.isRelation(term)) into.push(term)
        break
      default:
    }
  }

  private tryFollow(loop: Loop): boolean {
    return loop.kind === 'ref' ? this.followRef(loop) : this.followRelation(loop)
  }

  private followRelation(call: Call): boolean {
    if (!call.args.every((arg) => this.isGround(arg))) return false
    const slot = this.newSlot()
    this.emitRelation(call, call.args, { kind: 'bind', slot })
    this.followed.set(call, slot)
    return true
  }

  protected emitRelation(call: Call, args: readonly Term[], pattern: Pattern): void {
    const { builtin } = this.operator(call)
    if (builtin === undefined) throw new Error(`no function ${call.operator.span.text}`)
    const planned = args.map((arg) => this.expr(arg))
    this.emit({ op: 'relation', builtin, args: planned, span: call.span, pattern })
  }

  private followRef(ref: Ref): boolean {
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

  /** Loops over the unbound keys of a path into a value. @returns the slot of the found value */
  protected followValue(base: Expr, path: readonly Term[]): number {
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

  protected followData(ref: Ref): number {
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

  protected groundPrefix(path: readonly Term[]): number {
    const first = path.findIndex((part) => !this.isGround(part))
    return first < 0 ? path.length : first
  }

  protected pattern(term: Term): Pattern {
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
    // `[count(x), x] = pair`: compared after the rest of the pattern has bound its variables.
    const slot = this.newSlot()
    this.deferred.push({ term, slot })
    return { kind: 'bind', slot }
  }

  /**
   * Members in an order in which keys are known: a key may be bound by the value of another member.
   */
  protected objectPattern(all: readonly (readonly [Term, Term])[]): Pattern {
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

  protected deferred: { readonly term: Term; readonly slot: number }[] = []

  protected compareDeferred(): void {
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
}

import { isConstant, sameKey } from '../compile/binding.ts'
import { isClosure, walkTerm } from '../compile/visit.ts'
import type { Term } from '../syntax/ast.ts'
import { isWildcard } from '../syntax/ast.ts'
import type { Expr } from './plan.ts'
import { ReferencePlanner } from './referencePlanner.ts'

/** Plans `a = b`, either side of which may bind variables, as steps with one side known. */
export abstract class UnificationPlanner extends ReferencePlanner {
  /** Splits `a = b` into equations with one side known, in a valid order. */
  protected unify(a: Term, b: Term): void {
    let pairs = this.pairs(a, b)
    while (pairs.length > 0) {
      const left: [Term, Term][] = []
      for (const [x, y] of pairs) {
        if (this.isGround(x)) this.equate(y, this.expr(x))
        else if (this.isGround(y)) this.equate(x, this.expr(y))
        else left.push([x, y])
      }
      if (left.length === pairs.length) {
        // Two unknown sides: excluded by the safety check, except for wildcards.
        for (const [x, y] of left) {
          this.bindAll(x)
          this.equate(y, this.expr(x))
        }
        return
      }
      pairs = left
    }
  }

  protected bindAll(term: Term): void {
    walkTerm(term, (part) => {
      if (part.kind === 'var' && !this.isBound(part.name)) {
        const slot = this.newSlot()
        this.emit({ op: 'let', slot, expr: { op: 'const', value: null } })
        this.bound.set(part.name, slot)
      }
      return !isClosure(part)
    })
  }

  protected pairs(a: Term, b: Term): [Term, Term][] {
    if (a.kind === 'array' && b.kind === 'array') {
      if (a.items.length !== b.items.length) return this.never(a, b)
      return a.items.flatMap((item, i) => this.pairs(item, b.items[i] as Term))
    }
    if (a.kind === 'object' && b.kind === 'object') {
      const pairs: [Term, Term][] = []
      for (const [key, value] of a.entries) {
        const other = b.entries.find(([k]) => sameKey(k, key))
        if (other === undefined) {
          const known = [...a.entries, ...b.entries].every(([k]) => isConstant(k))
          return known ? this.never(a, b) : [[a, b]]
        }
        pairs.push(...this.pairs(value, other[1]))
      }
      return a.entries.length === b.entries.length ? pairs : this.never(a, b)
    }
    return [[a, b]]
  }

  /** Two sides that cannot be equal; later steps still need slots for the variables. */
  protected never(a: Term, b: Term): [] {
    this.emit({ op: 'test', expr: { op: 'const', value: false } })
    this.bindAll(a)
    this.bindAll(b)
    return []
  }

  /** `term = value`, with the value known. */
  protected equate(term: Term, value: Expr): void {
    if (term.kind === 'var' && !this.isBound(term.name)) {
      this.bind(term.name, value)
      return
    }
    this.emit({ op: 'match', pattern: this.pattern(term), expr: value })
  }

  /** A variable becomes an alias of an existing slot, or gets a new one. */
  protected bind(name: string, value: Expr): void {
    if (value.op === 'slot') {
      this.bound.set(name, value.slot)
      return
    }
    const slot = this.newSlot()
    this.emit({ op: 'let', slot, expr: value })
    if (!isWildcard(name)) this.bound.set(name, slot)
  }
}

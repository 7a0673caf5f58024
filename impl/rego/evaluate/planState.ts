import type { Builtin } from '../builtins/builtin.ts'
import type { Dialect } from '../compile/dialect.ts'
import type { DocTree } from '../compile/documents.ts'
import { isClosure, walkTerm } from '../compile/visit.ts'
import type { Call, Literal, Term } from '../syntax/ast.ts'
import type { Value } from '../values/value.ts'
import type { Block, Step } from './plan.ts'

/** Information about the program for planning. */
export type PlanContext = {
  readonly tree: DocTree
  readonly builtins: ReadonlyMap<string, Builtin>
  readonly dialect: Dialect
  /** The value of a call that depends only on its location (`rego.metadata.rule`). */
  readonly constantCall?: (name: string) => Value | undefined
}

/** Planning state of one rule or query: its slots, bound variables, and steps. */
export class PlanState {
  protected readonly context: PlanContext
  protected slots: number
  protected steps: Step[] = []
  protected bound = new Map<string, number>()
  /** Slots of references that were already evaluated. */
  protected followed = new Map<Term, number>()
  /** The literal being planned, which steps refer to. */
  protected literal: Literal | undefined
  /** For queries: slots of the values of top-level literals. */
  protected kept: Map<Literal, number> | undefined

  constructor(context: PlanContext, slots: number) {
    this.context = context
    this.slots = slots
  }

  protected newSlot(): number {
    return this.slots++
  }

  protected emit(step: Step): void {
    if (this.literal !== undefined) step.literal = this.literal
    this.steps.push(step)
  }

  /** Plans into a separate list of steps. */
  protected block(plan: () => void): Block {
    const outer = this.steps
    this.steps = []
    plan()
    const block = this.steps
    this.steps = outer
    return block
  }

  /** Like `block`, but variables bound inside are not bound after it. */
  protected closed(plan: () => void): Block {
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

  /** Whether a term has one value by now: its variables are bound, its relations iterated over. */
  protected isGround(term: Term): boolean {
    let ground = true
    walkTerm(term, (part) => {
      if (this.followed.has(part)) return false
      if (part.kind === 'var' && !this.isBound(part.name)) ground = false
      if (part.kind === 'call' && this.isRelation(part)) ground = false
      return ground && !isClosure(part)
    })
    return ground
  }

  /** Whether a call has any number of results (`walk`), each of which is one of the expression. */
  protected isRelation({ operator }: Call): boolean {
    return operator.kind === 'var' && this.context.builtins.get(operator.name)?.relation === true
  }

  protected isBound(name: string): boolean {
    return name === 'data' || name === 'input' || this.bound.has(name)
  }
}

import type { Builtin } from '../builtins/builtin.ts'
import type { DocTree } from '../compile/documents.ts'
import { isClosure, walkTerm } from '../compile/visit.ts'
import type { Literal, Term } from '../syntax/ast.ts'
import type { Value } from '../values/value.ts'
import type { Block, Step } from './plan.ts'

/** What planning has to know of the program around. */
export type PlanContext = {
  readonly tree: DocTree
  readonly builtins: ReadonlyMap<string, Builtin>
  /** The value of a call that is known from the place where it stands (`rego.metadata.rule`). */
  readonly constantCall?: (name: string) => Value | undefined
}

/** Where the planning of one rule or query stands: its slots, what is bound, the steps so far. */
export class PlanState {
  protected readonly context: PlanContext
  protected slots: number
  protected steps: Step[] = []
  protected bound = new Map<string, number>()
  /** References that were followed already, and where their values are. */
  protected followed = new Map<Term, number>()
  /** The literal that is planned: steps remember it. */
  protected literal: Literal | undefined
  /** For queries: where the values of the literals at the top are kept. */
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

  /** Plans into a list of steps of its own. */
  protected block(plan: () => void): Block {
    const outer = this.steps
    this.steps = []
    plan()
    const block = this.steps
    this.steps = outer
    return block
  }

  /** As `block`; what is bound inside is not bound behind it. */
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

  protected isGround(term: Term): boolean {
    let ground = true
    walkTerm(term, (part) => {
      if (this.followed.has(part)) return false
      if (part.kind === 'var' && !this.isBound(part.name)) ground = false
      return ground && !isClosure(part)
    })
    return ground
  }

  protected isBound(name: string): boolean {
    return name === 'data' || name === 'input' || this.bound.has(name)
  }
}

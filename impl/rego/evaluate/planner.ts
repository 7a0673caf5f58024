import { nodeAt } from '../compile/calls.ts'
import type { DocNode } from '../compile/documents.ts'
import { negatedOperands } from '../compile/negatedOperands.ts'
import { constantPath, isDataRef } from '../compile/references.ts'
import type { Body, Comprehension, Literal, Ref, Template, Term, With } from '../syntax/ast.ts'
import type { Block, Expr, Step, TemplatePart, WithPlan } from './plan.ts'
import { ANY } from './referencePlanner.ts'
import { UnificationPlanner } from './unificationPlanner.ts'

const TRUE: Expr = { op: 'const', value: true }

const LOOPS: ReadonlySet<Step['op']> = new Set(['scan', 'docScan', 'relation'])

/** Plans the bodies of one rule or query, which share one set of slots. */
export class Planner extends UnificationPlanner {
  get slotCount(): number {
    return this.slots
  }

  /** Starts a new body in which only these variables are bound. */
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
   * Like `body`, but stores the value of each literal that is a plain term.
   *
   * @returns their slots; a false value fails only if the query iterates or continues
   */
  query(body: Body): ReadonlyMap<Literal, number> {
    const kept = new Map<Literal, number>()
    this.onlyLiteral = body.length === 1
    this.isQuery = true
    for (const literal of body) {
      this.kept = literal.kind === 'term' && !literal.negated ? kept : undefined
      this.planLiteral(literal)
    }
    this.kept = undefined
    return kept
  }

  private onlyLiteral = false
  private isQuery = false

  /** The value of a term, with steps for its iterations. */
  value(term: Term): Expr {
    this.follow([term])
    return this.expr(term)
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
      if (this.context.dialect === 'opa-1.2') this.requireOperands(literal)
      this.emit({ op: 'not', block: this.closed(() => this.literalSteps(literal)) })
    } else {
      this.literalSteps(literal)
    }
  }

  /** As in OPA, the body is undefined if an operand is (decision R14). */
  private requireOperands(literal: Literal): void {
    const operands = negatedOperands(literal, this.isQuery)
    this.follow(operands)
    for (const operand of operands) {
      const slot = this.newSlot()
      this.emit({ op: 'let', slot, expr: this.expr(operand) })
      this.followed.set(operand, slot)
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
    const output = term.args[arity]
    if (output === undefined || this.operator(term).builtin?.variadic !== undefined) {
      this.test(this.value(term))
      return
    }
    this.follow(term.args)
    const args = term.args.slice(0, arity)
    if (this.isRelation(term)) this.emitRelation(term, args, this.pattern(output))
    else this.equate(output, this.expr({ ...term, args }))
  }

  private test(expr: Expr): void {
    if (this.kept !== undefined && this.literal !== undefined) {
      const slot = this.newSlot()
      this.emit({ op: 'let', slot, expr })
      this.kept.set(this.literal, slot)
      const iterates = this.steps.some(({ op }) => LOOPS.has(op))
      if (!this.onlyLiteral || iterates) this.emit({ op: 'test', expr: { op: 'slot', slot } })
      return
    }
    if (expr.op === 'const' && expr.value !== false) return
    this.emit({ op: 'test', expr })
  }

  protected override closure(term: Comprehension | Template): Expr {
    return term.kind === 'template' ? this.template(term) : this.comprehension(term)
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

  private planWith(each: With): WithPlan {
    const { target, value, span } = each
    if (target.kind === 'var') {
      const name = { kind: 'function', name: target.name } as const
      return { target: name, value: this.replacement(value), span }
    }
    const ref = target as Ref
    const path = constantPath(ref.path)
    if (!isDataRef(ref)) return { target: { kind: 'input', path }, value: this.value(value), span }
    const node = nodeAt(this.context.tree, ref)
    if (node?.kind === 'function') {
      const name = functionKey(node)
      return { target: { kind: 'function', name }, value: this.replacement(value), span }
    }
    return { target: { kind: 'data', path, hides: node }, value: this.value(value), span }
  }

  /** The replacement of a function: another function, or a value. */
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

/** The key of a replaced policy function in contexts. */
export const functionKey = (node: DocNode): string => `#${node.id}`

import type { Program } from '../compile/program.ts'
import { RegoError } from '../errors.ts'
import type { Value } from '../values/value.ts'
import { affectedBy } from './affected.ts'
import type { Frame, Next } from './closure.ts'
import { Context } from './context.ts'
import { childOf, type Doc, enter, force, keysOf } from './documents.ts'
import { LoopBuilder } from './loopBuilder.ts'
import { matcher } from './patterns.ts'
import type { Block, Step, WithPlan } from './plan.ts'
import { withProbes } from './probe.ts'
import { type Tracer, traced } from './tracer.ts'

/** Builds closures from a plan. */
export class Builder extends LoopBuilder {
  private readonly program: Program
  private readonly tracer: Tracer | undefined

  constructor(program: Program, tracer?: Tracer) {
    super()
    this.program = program
    this.tracer = tracer
  }

  /** Chains the steps of a block, and the continuation for each solution. */
  override block(block: Block, final: Next): Next {
    if (this.tracer !== undefined) return this.tracedBlock(block, final, this.tracer)
    const steps = withProbes(block)
    let next = final
    for (let i = steps.length - 1; i >= 0; i--) next = this.step(steps[i] as Step, next)
    return next
  }

  private tracedBlock(block: Block, final: Next, tracer: Tracer): Next {
    let next = final
    for (let end = block.length; end > 0; ) {
      const { literal } = block[end - 1] as Step
      let start = end - 1
      while (start > 0 && block[start - 1]?.literal === literal) start--
      const after = next
      let run: Next = after
      if (literal !== undefined) {
        run = (c, f) => {
          tracer.pass?.(literal)
          return after(c, f)
        }
      }
      const steps = block.slice(start, end)
      for (const step of [...steps].reverse()) run = this.step(step, run)
      next = literal === undefined ? run : traced(tracer, literal, steps, this.expr, run)
      end = start
    }
    return next
  }

  private step(step: Step, next: Next): Next {
    switch (step.op) {
      case 'test': {
        const test = this.expr(step.expr)
        return (c, f) => {
          const value = test(c, f)
          return value !== undefined && value !== false ? next(c, f) : false
        }
      }
      case 'let': {
        const { slot } = step
        const value = this.expr(step.expr)
        return (c, f) => {
          const found = value(c, f)
          if (found === undefined) return false
          f[slot] = found
          return next(c, f)
        }
      }
      case 'match': {
        const value = this.expr(step.expr)
        const match = matcher(step.pattern, this.expr)
        return (c, f) => {
          const found = value(c, f)
          return found !== undefined && match(c, f, found) ? next(c, f) : false
        }
      }
      case 'scan':
        return this.scan(step, next)
      case 'probe':
        return this.probe(step, next)
      case 'docEnter': {
        const { slot, node } = step
        return (c, f) => {
          put(f, slot, enter(c, node))
          return next(c, f)
        }
      }
      case 'docStep': {
        const { from, to } = step
        const key = this.expr(step.key)
        return (c, f) => {
          const at = key(c, f)
          const doc = at === undefined ? undefined : childOf(c, take(f, from), at)
          if (doc === undefined) return false
          put(f, to, doc)
          return next(c, f)
        }
      }
      case 'docScan': {
        const { from, to } = step
        const match = matcher(step.key, this.expr)
        return (c, f) => {
          const doc = take(f, from)
          for (const key of keysOf(doc)) {
            c.run.charge(1)
            if (!match(c, f, key)) continue
            const child = childOf(c, doc, key)
            if (child === undefined) continue
            put(f, to, child)
            if (next(c, f)) return true
          }
          return false
        }
      }
      case 'docForce': {
        const { from, to } = step
        return (c, f) => {
          f[to] = force(c, take(f, from))
          return next(c, f)
        }
      }
      case 'relation':
        return this.relation(step, next)
      case 'not': {
        const inner = this.block(step.block, () => true)
        return (c, f) => (inner(c, f) ? false : next(c, f))
      }
      case 'every':
        return this.every(step, next)
      case 'with':
        return this.with(step, next)
    }
  }

  private with(step: Step & { op: 'with' }, next: Next): Next {
    const targets = step.withs.map((each) => each.target)
    const affected = affectedBy(this.program, targets)
    const changes = step.withs.map((each) => this.change(each))
    const inner = this.block(step.block, (c, f) => next(c.parent as Context, f))
    return (c, f) => {
      const changed = new Context(c, c, affected)
      c.run.charge(4)
      for (const change of changes) if (!change(c, f, changed)) return false
      return inner(changed, f)
    }
  }

  private change(each: WithPlan): (c: Context, f: Frame, changed: Context) => boolean {
    const { target, value, span } = each
    if (target.kind !== 'function' && target.path.some((key) => typeof key !== 'string')) {
      return () => {
        const message = `bad document path: ${span.text} has a key that is not a string`
        throw new RegoError('eval_conflict_error', message, { location: span.location })
      }
    }
    if (value.op === 'function') {
      const { target: replacement } = value
      const found =
        'call' in replacement
          ? ({ kind: 'builtin', builtin: replacement } as const)
          : ({ kind: 'node', node: replacement } as const)
      return (_, __, changed) => {
        if (target.kind === 'function') changed.replaceFunction(target.name, found)
        return true
      }
    }
    const evaluate = this.expr(value)
    return (c, f, changed) => {
      const found = evaluate(c, f)
      if (found === undefined) return false
      changed.replace(target, found)
      return true
    }
  }
}

function put(f: Frame, slot: number, doc: Doc): void {
  f[slot] = doc as Value
}

const take = (f: Frame, slot: number): Doc => f[slot] as Doc

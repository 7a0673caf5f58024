import { RegoError } from '../errors.ts'
import { equal } from '../values/compare.ts'
import { display } from '../values/display.ts'
import { RegoObject } from '../values/object.ts'
import { RegoSet } from '../values/set.ts'
import { isArray, isComposite, isObject, type Scalar, type Value } from '../values/value.ts'
import { builtinCall, evaluated } from './builtinCalls.ts'
import type { Eval, Frame, Next } from './closure.ts'
import { Context } from './context.ts'
import { baseAt, childOf, type Doc, enter, force, keysOf } from './documents.ts'
import { lookup } from './lookup.ts'
import type { Machine } from './machine.ts'
import { matcher } from './patterns.ts'
import { type Block, type Expr, isConstantKey, type Step, type WithPlan } from './plan.ts'
import { elementsOf, followed, indexFor, isBinding, type Probe, withProbes } from './probe.ts'
import { type Tracer, traced } from './tracer.ts'

/** Makes closures of a plan. */
export class Builder {
  private readonly machine: Machine
  private readonly tracer: Tracer | undefined

  constructor(machine: Machine, tracer?: Tracer) {
    this.machine = machine
    this.tracer = tracer
  }

  /** The steps of a block one after the other, and what is done with each solution. */
  block(block: Block, final: Next): Next {
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

  readonly expr = (expr: Expr): Eval => {
    switch (expr.op) {
      case 'const': {
        const { value } = expr
        return () => value
      }
      case 'slot': {
        const { slot } = expr
        return (_, f) => f[slot]
      }
      case 'input':
        return (c) => c.input
      case 'lookup':
        return this.lookups(this.expr(expr.base), expr.path)
      case 'base':
        return this.lookups((c) => c.data, expr.path, stored)
      case 'rule':
        return this.rule(expr)
      case 'tree': {
        const { node } = expr
        const path = expr.path.map(this.expr)
        return (c, f) => {
          let doc: Doc | undefined = enter(c, node)
          for (const part of path) {
            const key = part(c, f)
            if (key === undefined) return undefined
            doc = childOf(c, doc, key)
            if (doc === undefined) return undefined
          }
          return force(c, doc)
        }
      }
      case 'call':
        return builtinCall(expr.builtin, expr.args.map(this.expr), expr.span)
      case 'apply': {
        const { node, span } = expr
        const args = expr.args.map(this.expr)
        return (c, f) => {
          const values = evaluated(c, f, args)
          return values === undefined ? undefined : c.machine.apply(c, node, values, span)
        }
      }
      case 'array': {
        const items = expr.items.map(this.expr)
        return (c, f) => {
          c.run.allocate(16 + 8 * items.length)
          return evaluated(c, f, items)
        }
      }
      case 'set': {
        const items = expr.items.map(this.expr)
        return (c, f) => {
          const set = new RegoSet()
          for (const item of items) {
            const value = item(c, f)
            if (value === undefined) return undefined
            set.add(value)
          }
          c.run.allocate(64 * items.length)
          return set
        }
      }
      case 'object': {
        const entries = expr.entries.map(([k, v]) => [this.expr(k), this.expr(v)] as const)
        return (c, f) => {
          const object = new RegoObject()
          for (const [k, v] of entries) {
            const key = k(c, f)
            if (key === undefined) return undefined
            const value = v(c, f)
            if (value === undefined) return undefined
            object.set(key, value)
          }
          c.run.allocate(64 * entries.length)
          return object
        }
      }
      case 'comprehension':
        return this.comprehension(expr)
      case 'template':
        return this.template(expr)
      case 'print': {
        const args = expr.args.map(this.expr)
        return (c, f) => {
          const texts = args.map((arg) => printed(arg(c, f)))
          c.run.builtins.print?.(texts.join(' '))
          return true
        }
      }
    }
  }

  private lookups(base: Eval, path: readonly Expr[], get: Lookup = lookup): Eval {
    if (!path.every(isConstantKey)) return lookups(base, path.map(this.expr), get)
    const keys = path.map((part) => part.value)
    const [first, second] = keys
    if (first === undefined) return base
    if (keys.length === 1) {
      return (c, f) => {
        const value = base(c, f)
        return value === undefined ? undefined : get(value, first)
      }
    }
    if (keys.length === 2 && second !== undefined) {
      return (c, f) => {
        const value = base(c, f)
        if (value === undefined) return undefined
        const member = get(value, first)
        return member === undefined ? undefined : get(member, second)
      }
    }
    return (c, f) => {
      let value = base(c, f)
      for (let i = 0; i < keys.length; i++) {
        if (value === undefined) return undefined
        value = get(value, keys[i] as Scalar)
      }
      return value
    }
  }

  private rule(expr: Expr & { op: 'rule' }): Eval {
    const { node } = expr
    if (expr.path.length === 0) {
      return (c) => (c.hidden?.has(node) ? baseAt(c.data, node.path) : c.machine.value(c, node))
    }
    if (node.kind !== 'object') {
      return this.lookups(
        (c) => (c.hidden?.has(node) ? baseAt(c.data, node.path) : c.machine.value(c, node)),
        expr.path,
      )
    }
    const path = expr.path.map(this.expr)
    return (c, f) => {
      const keys = evaluated(c, f, path)
      if (keys === undefined) return undefined
      if (!c.hidden?.has(node)) return c.machine.member(c, node, keys)
      let value = baseAt(c.data, node.path)
      for (const key of keys) {
        if (value === undefined) return undefined
        value = lookup(value, key)
      }
      return value
    }
  }

  private comprehension(expr: Expr & { op: 'comprehension' }): Eval {
    const { slot, span } = expr
    const value = this.expr(expr.value)
    const key = expr.key === undefined ? undefined : this.expr(expr.key)
    if (expr.kind === 'array') {
      const run = this.block(expr.block, (c, f) => {
        const item = value(c, f)
        if (item === undefined) return false
        c.run.allocate(16)
        const items = f[slot] as Value[]
        items.push(item)
        return false
      })
      return (c, f) => {
        const items: Value[] = []
        f[slot] = items
        run(c, f)
        return items
      }
    }
    if (expr.kind === 'set') {
      const run = this.block(expr.block, (c, f) => {
        const item = value(c, f)
        if (item === undefined) return false
        c.run.allocate(48)
        const set = f[slot] as RegoSet
        set.add(item)
        return false
      })
      return (c, f) => {
        const set = new RegoSet()
        f[slot] = set
        run(c, f)
        return set
      }
    }
    const run = this.block(expr.block, (c, f) => {
      const k = key?.(c, f)
      if (k === undefined) return false
      const v = value(c, f)
      if (v === undefined) return false
      const object = f[slot] as RegoObject
      const before = object.get(k)
      if (before === undefined) {
        c.run.allocate(64)
        object.set(k, v)
      } else if (!equal(before, v)) {
        throw new RegoError('eval_conflict_error', 'object keys must be unique', {
          location: span.location,
        })
      }
      return false
    })
    return (c, f) => {
      const object = new RegoObject()
      f[slot] = object
      run(c, f)
      return object
    }
  }

  private template(expr: Expr & { op: 'template' }): Eval {
    const { span } = expr
    const parts = expr.parts.map((part) => {
      if (typeof part === 'string') return () => part
      const { slot } = part
      const value = this.expr(part.value)
      const run = this.block(part.block, (c, f) => {
        const found = value(c, f)
        if (f[slot] !== undefined && found !== undefined && !equal(f[slot], found)) {
          throw new RegoError(
            'eval_conflict_error',
            'template-strings must not produce multiple outputs',
            { location: span.location },
          )
        }
        f[slot] = found
        return false
      })
      return (c: Context, f: Frame): string => {
        f[slot] = undefined
        run(c, f)
        return printed(f[slot])
      }
    })
    return (c, f) => {
      let text = ''
      for (const part of parts) text += part(c, f)
      c.run.allocate(2 * text.length)
      return text
    }
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
      case 'relation': {
        const answers = this.expr(step.call)
        const match = matcher(step.pattern, this.expr)
        return (c, f) => {
          const found = answers(c, f)
          if (found === undefined || !isArray(found)) return false
          for (const answer of found) {
            c.run.charge(1)
            if (match(c, f, answer) && next(c, f)) return true
          }
          return false
        }
      }
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

  private scan(step: Step & { op: 'scan' }, next: Next): Next {
    const over = this.expr(step.over)
    const visit = this.visitor(step, next)
    return (c, f) => {
      const domain = over(c, f)
      return domain === undefined ? false : visit(c, f, domain)
    }
  }

  private probe(step: Probe, next: Next): Next {
    const { path, member, alias } = step
    const over = this.expr(step.over)
    const equals = this.expr(step.equals)
    const key = isBinding(step.key) ? step.key.slot : undefined
    const pathKey = JSON.stringify(path.map((part) => [typeof part, String(part)]))
    return (c, f) => {
      const domain = over(c, f)
      if (domain === undefined || !isComposite(domain)) return false
      const wanted = equals(c, f)
      if (wanted === undefined) return false
      const list = isArray(domain)
      const object = !list && isObject(domain)
      const visit = (i: number, element: Value, value: Value): boolean => {
        f[member] = value
        if (key !== undefined) f[key] = list ? i : element
        if (alias !== undefined) f[alias] = wanted
        return next(c, f)
      }
      const elements = elementsOf(domain)
      const scalar = !isComposite(wanted)
      const index = scalar ? indexFor(domain, path, pathKey) : undefined
      if (index !== undefined) {
        for (const i of index.get(wanted as Scalar) ?? []) {
          c.run.charge(1)
          const element = elements[i] as Value
          const value = object ? (domain.get(element) as Value) : element
          if (visit(i, element, value)) return true
        }
        return false
      }
      for (let i = 0; i < elements.length; i++) {
        c.run.charge(1)
        const element = elements[i] as Value
        const value = object ? (domain.get(element) as Value) : element
        const found = followed(value, path)
        if (found === undefined) continue
        if (scalar ? found !== wanted : !equal(found, wanted)) continue
        if (visit(i, element, value)) return true
      }
      return false
    }
  }

  /** Visits the members of a collection that fit, until `next` says to stop. */
  private visitor(
    step: Step & { op: 'scan' | 'every' },
    next: Next,
  ): (c: Context, f: Frame, domain: Value) => boolean {
    if (step.key.kind === 'any' && step.value.kind === 'bind') {
      const { slot } = step.value
      return (c, f, domain) => {
        if (!isComposite(domain)) return false
        if (isArray(domain)) {
          for (let i = 0; i < domain.length; i++) {
            c.run.charge(1)
            f[slot] = domain[i]
            if (next(c, f)) return true
          }
          return false
        }
        const keys = isObject(domain) ? domain.keys() : domain.values()
        for (let i = 0; i < keys.length; i++) {
          c.run.charge(1)
          const key = keys[i] as Value
          f[slot] = isObject(domain) ? domain.get(key) : key
          if (next(c, f)) return true
        }
        return false
      }
    }
    const matchKey = matcher(step.key, this.expr)
    const matchValue = matcher(step.value, this.expr)
    return (c, f, domain) => {
      if (!isComposite(domain)) return false
      const keys = isArray(domain) ? domain : isObject(domain) ? domain.keys() : domain.values()
      const list = isArray(domain)
      const object = !list && isObject(domain)
      for (let i = 0; i < keys.length; i++) {
        c.run.charge(1)
        const key = list ? i : (keys[i] as Value)
        if (!matchKey(c, f, key)) continue
        const value = object ? (domain.get(key) as Value) : (keys[i] as Value)
        if (matchValue(c, f, value) && next(c, f)) return true
      }
      return false
    }
  }

  private every(step: Step & { op: 'every' }, next: Next): Next {
    const over = this.expr(step.over)
    const holds = this.block(step.block, () => true)
    const fails = this.visitor(step, (c, f) => !holds(c, f))
    return (c, f) => {
      const domain = over(c, f)
      if (domain === undefined || !isComposite(domain)) return false
      return fails(c, f, domain) ? false : next(c, f)
    }
  }

  private with(step: Step & { op: 'with' }, next: Next): Next {
    const targets = step.withs.map((each) => each.target)
    const affected = this.machine.affected(targets)
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
    const { target, value } = each
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

const put = (f: Frame, slot: number, doc: Doc): void => {
  f[slot] = doc as Value
}

const take = (f: Frame, slot: number): Doc => f[slot] as Doc

const printed = (value: Value | undefined): string => {
  if (value === undefined) return '<undefined>'
  return typeof value === 'string' ? value : display(value)
}

type Lookup = (value: Value, key: Value) => Value | undefined

/** Documents from outside have string keys: a number finds the member of that name. */
const stored: Lookup = (value, key) =>
  lookup(value, key) ??
  (typeof key === 'number' && isObject(value) ? value.get(String(key)) : undefined)

const lookups = (base: Eval, path: readonly Eval[], get: Lookup = lookup): Eval => {
  const [first, second] = path
  if (first === undefined) return base
  if (path.length === 1) {
    return (c, f) => {
      const value = base(c, f)
      if (value === undefined) return undefined
      const key = first(c, f)
      return key === undefined ? undefined : get(value, key)
    }
  }
  if (path.length === 2 && second !== undefined) {
    return (c, f) => {
      const value = base(c, f)
      if (value === undefined) return undefined
      const key = first(c, f)
      const member = key === undefined ? undefined : get(value, key)
      if (member === undefined) return undefined
      const next = second(c, f)
      return next === undefined ? undefined : get(member, next)
    }
  }
  return (c, f) => {
    let value = base(c, f)
    for (let i = 0; i < path.length; i++) {
      if (value === undefined) return undefined
      const key = (path[i] as Eval)(c, f)
      if (key === undefined) return undefined
      value = get(value, key)
    }
    return value
  }
}

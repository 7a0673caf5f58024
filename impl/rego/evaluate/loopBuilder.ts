import { equal } from '../values/compare.ts'
import { isArray, isComposite, isObject, type Scalar, type Value } from '../values/value.ts'
import { bare } from '../values/writtenNumber.ts'
import { callBuiltin, evaluated } from './builtinCalls.ts'
import type { Frame, Next } from './closure.ts'
import { ClosureBuilder } from './closureBuilder.ts'
import type { Context } from './context.ts'
import { matcher } from './patterns.ts'
import type { Step } from './plan.ts'
import { elementsOf, followed, indexFor, isBinding, type Probe } from './probe.ts'

/** Builds closures of the steps that loop over a collection. */
export abstract class LoopBuilder extends ClosureBuilder {
  protected scan(step: Step & { op: 'scan' }, next: Next): Next {
    const over = this.expr(step.over)
    const visit = this.visitor(step, next)
    return (c, f) => {
      const domain = over(c, f)
      return domain === undefined ? false : visit(c, f, domain)
    }
  }

  protected probe(step: Probe, next: Next): Next {
    const { path, member, alias } = step
    const over = this.expr(step.over)
    const equals = this.expr(step.equals)
    const key = isBinding(step.key) ? step.key.slot : undefined
    const pathKey = JSON.stringify(path.map((part) => [typeof part, String(part)]))
    const bind = (f: Frame, at: Value, value: Value, wanted: Value): void => {
      f[member] = value
      if (key !== undefined) f[key] = at
      if (alias !== undefined) f[alias] = wanted
    }
    return (c, f) => {
      const domain = over(c, f)
      if (domain === undefined || !isComposite(domain)) return false
      const wanted = equals(c, f)
      if (wanted === undefined) return false
      const list = isArray(domain)
      const object = !list && isObject(domain)
      const elements = elementsOf(domain)
      const scalar = !isComposite(wanted)
      const index = scalar ? indexFor(domain, path, pathKey) : undefined
      if (index !== undefined) {
        for (const i of index.get(bare(wanted) as Scalar) ?? []) {
          c.run.charge(1)
          const element = elements[i] as Value
          const value = object ? (domain.get(element) as Value) : element
          bind(f, list ? i : element, value, wanted)
          if (next(c, f)) return true
        }
        return false
      }
      for (let i = 0; i < elements.length; i++) {
        c.run.charge(1)
        const element = elements[i] as Value
        const value = object ? (domain.get(element) as Value) : element
        const found = followed(value, path)
        if (found === undefined) continue
        if (found !== wanted && !equal(found, wanted)) continue
        bind(f, list ? i : element, value, wanted)
        if (next(c, f)) return true
      }
      return false
    }
  }

  /** Visits the matching members of a collection until `next` returns true. */
  protected visitor(
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

  protected relation(step: Step & { op: 'relation' }, next: Next): Next {
    const { builtin, span } = step
    const args = step.args.map(this.expr)
    const match = matcher(step.pattern, this.expr)
    return (c, f) => {
      const values = evaluated(c, f, args)
      if (values === undefined) return false
      const found = callBuiltin(c, builtin, values, span)
      if (found === undefined || !isArray(found)) return false
      for (const answer of found) {
        c.run.charge(1)
        if (match(c, f, answer) && next(c, f)) return true
      }
      return false
    }
  }

  protected every(step: Step & { op: 'every' }, next: Next): Next {
    const over = this.expr(step.over)
    const holds = this.block(step.block, () => true)
    const fails = this.visitor(step, (c, f) => !holds(c, f))
    return (c, f) => {
      const domain = over(c, f)
      if (domain === undefined || !isComposite(domain)) return false
      return fails(c, f, domain) ? false : next(c, f)
    }
  }
}

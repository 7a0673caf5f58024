import { RegoError } from '../errors.ts'
import { equal } from '../values/compare.ts'
import { RegoObject } from '../values/object.ts'
import { RegoSet } from '../values/set.ts'
import type { ObjectValue, SetValue, Value } from '../values/value.ts'
import type { Eval, Frame, Next } from './closure.ts'
import type { Context } from './context.ts'
import { ExpressionBuilder, printed } from './expressionBuilder.ts'
import type { Block, Expr } from './plan.ts'

/** Builds closures of terms with a body: comprehensions and templates. */
export abstract class ClosureBuilder extends ExpressionBuilder {
  protected abstract block(block: Block, final: Next): Next

  protected override comprehension(expr: Expr & { op: 'comprehension' }): Eval {
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
        const set = f[slot] as SetValue
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
      const object = f[slot] as ObjectValue
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

  protected override template(expr: Expr & { op: 'template' }): Eval {
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
}

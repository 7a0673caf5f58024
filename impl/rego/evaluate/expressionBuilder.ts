import { display } from '../values/display.ts'
import { RegoObject } from '../values/object.ts'
import { RegoSet } from '../values/set.ts'
import type { Value } from '../values/value.ts'
import { builtinCall, evaluated } from './builtinCalls.ts'
import type { Eval } from './closure.ts'
import { baseAt, childOf, type Doc, enter, force } from './documents.ts'
import { lookup, lookupStored } from './lookup.ts'
import { lookupsOf } from './lookupClosures.ts'
import type { Expr } from './plan.ts'

/** Builds closures of expressions, which return a value or undefined. */
export abstract class ExpressionBuilder {
  protected abstract comprehension(expr: Expr & { op: 'comprehension' }): Eval
  protected abstract template(expr: Expr & { op: 'template' }): Eval

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
        return lookupsOf(this.expr(expr.base), expr.path, this.expr)
      case 'base':
        return lookupsOf((c) => c.data, expr.path, this.expr, lookupStored)
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
          return values === undefined ? undefined : c.rules.apply(c, node, values, span)
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

  protected rule(expr: Expr & { op: 'rule' }): Eval {
    const { node } = expr
    if (expr.path.length === 0) {
      return (c) => (c.hidden?.has(node) ? baseAt(c.data, node.path) : c.rules.value(c, node))
    }
    if (node.kind !== 'object') {
      return lookupsOf(
        (c) => (c.hidden?.has(node) ? baseAt(c.data, node.path) : c.rules.value(c, node)),
        expr.path,
        this.expr,
      )
    }
    const path = expr.path.map(this.expr)
    return (c, f) => {
      const keys = evaluated(c, f, path)
      if (keys === undefined) return undefined
      if (!c.hidden?.has(node)) return c.rules.member(c, node, keys)
      let value = baseAt(c.data, node.path)
      for (const key of keys) {
        if (value === undefined) return undefined
        value = lookup(value, key, c)
      }
      return value
    }
  }
}

export function printed(value: Value | undefined): string {
  if (value === undefined) return '<undefined>'
  return typeof value === 'string' ? value : display(value)
}

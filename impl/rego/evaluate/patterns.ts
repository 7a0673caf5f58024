import { equal } from '../values/compare.ts'
import { isArray, isObject, type Value } from '../values/value.ts'
import type { Eval, Frame } from './closure.ts'
import type { Context } from './context.ts'
import type { Expr, Pattern } from './plan.ts'

/** Whether a value matches; binds slots. */
export type Match = (c: Context, f: Frame, value: Value) => boolean

export function matcher(pattern: Pattern, build: (expr: Expr) => Eval): Match {
  switch (pattern.kind) {
    case 'any':
      return () => true
    case 'bind': {
      const { slot } = pattern
      return (_, f, value) => {
        f[slot] = value
        return true
      }
    }
    case 'equal': {
      const expected = build(pattern.expr)
      return (c, f, value) => {
        const other = expected(c, f)
        return other !== undefined && equal(value, other)
      }
    }
    case 'array': {
      const items = pattern.items.map((item) => matcher(item, build))
      return (c, f, value) => {
        if (!isArray(value) || value.length !== items.length) return false
        for (let i = 0; i < items.length; i++) {
          if (!(items[i] as Match)(c, f, value[i] as Value)) return false
        }
        return true
      }
    }
    case 'object': {
      const entries = pattern.entries.map(
        ([key, value]) => [build(key), matcher(value, build)] as const,
      )
      return (c, f, value) => {
        if (!isObject(value) || value.size !== entries.length) return false
        for (const [key, match] of entries) {
          const at = key(c, f)
          const member = at === undefined ? undefined : value.get(at)
          if (member === undefined || !match(c, f, member)) return false
        }
        return true
      }
    }
  }
}

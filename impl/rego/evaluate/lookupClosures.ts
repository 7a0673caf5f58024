import type { Scalar } from '../values/value.ts'
import type { Eval } from './closure.ts'
import { lookup } from './lookup.ts'
import { type Expr, isConstantKey } from './plan.ts'

type Lookup = typeof lookup

/** Lookups by number of keys, and whether they are constant. */
export function lookupsOf(
  base: Eval,
  path: readonly Expr[],
  build: (expr: Expr) => Eval,
  get: Lookup = lookup,
): Eval {
  if (!path.every(isConstantKey)) return lookups(base, path.map(build), get)
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

function lookups(base: Eval, path: readonly Eval[], get: Lookup): Eval {
  const [first, second] = path
  if (first === undefined) return base
  if (path.length === 1) {
    return (c, f) => {
      const value = base(c, f)
      if (value === undefined) return undefined
      const key = first(c, f)
      return key === undefined ? undefined : get(value, key, c)
    }
  }
  if (path.length === 2 && second !== undefined) {
    return (c, f) => {
      const value = base(c, f)
      if (value === undefined) return undefined
      const key = first(c, f)
      const member = key === undefined ? undefined : get(value, key, c)
      if (member === undefined) return undefined
      const next = second(c, f)
      return next === undefined ? undefined : get(member, next, c)
    }
  }
  return (c, f) => {
    let value = base(c, f)
    for (let i = 0; i < path.length; i++) {
      if (value === undefined) return undefined
      const key = (path[i] as Eval)(c, f)
      if (key === undefined) return undefined
      value = get(value, key, c)
    }
    return value
  }
}

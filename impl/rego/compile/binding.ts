import type { Term } from '../syntax/ast.ts'
import { equal } from '../values/compare.ts'
import { constantOf } from './constants.ts'
import type { Layer, Names } from './names.ts'
import { isRootVar } from './visit.ts'

/** Matching a pattern against a value binds all of its variables. */
export function matched(pattern: Term, bound: Layer): void {
  switch (pattern.kind) {
    case 'var':
      if (!isRootVar(pattern)) bound.add(pattern.name)
      break
    case 'array':
      for (const item of pattern.items) matched(item, bound)
      break
    case 'object': {
      for (let before = -1; bound.size !== before; ) {
        before = bound.size
        for (const [key, value] of pattern.entries) {
          if (isGround(key, bound)) matched(value, bound)
        }
      }
      break
    }
    default:
  }
}

/** The variables that `a = b` binds, given the bound ones. */
export function unify(a: Term, b: Term, bound: Layer): void {
  for (let before = -1; bound.size !== before; ) {
    before = bound.size
    unifyOnce(a, b, bound)
  }
}

/** Whether all variables of a term outside closures are among these names. */
export function isGround(term: Term, bound: Names): boolean {
  switch (term.kind) {
    case 'var':
      return isRootVar(term) || bound.has(term.name)
    case 'ref':
      return isGround(term.head, bound) && areGround(term.path, bound)
    case 'array':
    case 'set':
      return areGround(term.items, bound)
    case 'object':
      return term.entries.every(([key, value]) => isGround(key, bound) && isGround(value, bound))
    case 'call':
      return areGround(term.args, bound)
    default:
      return true
  }
}

function areGround(terms: readonly Term[], bound: Names): boolean {
  for (const term of terms) if (!isGround(term, bound)) return false
  return true
}

function unifyOnce(a: Term, b: Term, bound: Layer): void {
  if (a.kind === 'array' && b.kind === 'array') {
    if (a.items.length !== b.items.length) return
    a.items.forEach((item, i) => {
      unifyOnce(item, b.items[i] as Term, bound)
    })
    return
  }
  const keys = a.kind === 'object' && b.kind === 'object' ? [...a.entries, ...b.entries] : []
  if (a.kind === 'object' && b.kind === 'object' && keys.every(([key]) => isConstant(key))) {
    for (const [key, value] of a.entries) {
      const other = b.entries.find(([k]) => sameKey(k, key))
      if (other !== undefined) unifyOnce(value, other[1], bound)
    }
    return
  }
  if (isGround(a, bound)) matched(b, bound)
  else if (isGround(b, bound)) matched(a, bound)
}

export const isConstant = (term: Term): boolean => constantOf(term) !== undefined

/** Whether two keys of object patterns are known to be equal. */
export function sameKey(a: Term, b: Term): boolean {
  if (a.kind === 'var' && b.kind === 'var') return a.name === b.name
  const [one, other] = [constantOf(a), constantOf(b)]
  return one !== undefined && other !== undefined && equal(one, other)
}

import { ANY, type Type } from '../builtins/types.ts'
import type { Term } from '../syntax/ast.ts'
import { equal } from '../values/compare.ts'
import type { Checker } from './bodies.ts'
import { join, overlap, select } from './lattice.ts'

/**
 * Makes a term have a type: variables without one get it. False when the term can have no
 * value of that type. With `widen`, variables that have a type get the union of both.
 */
export const unifyTerm = (checker: Checker, term: Term, type: Type, widen = false): boolean => {
  switch (term.kind) {
    case 'var':
      return unifyVar(checker, term.name, type, widen)
    case 'array':
    case 'set':
    case 'object':
      return unifyComposite(checker, term, type, widen)
    default: {
      const own = checker.typeOf(term)
      return own === undefined || overlap(own, type)
    }
  }
}

const unifyVar = (checker: Checker, name: string, type: Type, widen: boolean): boolean => {
  if (name === 'data' || name === 'input') return type.kind !== 'function'
  const own = checker.locals.get(name)
  if (own === undefined) checker.locals.put(name, type)
  else if (widen) checker.locals.put(name, join([own, type]))
  else return overlap(own, type)
  return true
}

type Composite = Extract<Term, { kind: 'array' | 'set' | 'object' }>

const unifyComposite = (checker: Checker, term: Composite, type: Type, widen: boolean): boolean => {
  if (type.kind === 'any') {
    for (const part of partsOf(term)) unifyTerm(checker, part, ANY, true)
    return true
  }
  if (type.kind === 'union') {
    // every member is tried, so that variables inside get the types of all
    let some = false
    for (const member of type.of) some = unifyTerm(checker, term, member, true) || some
    return some
  }
  if (term.kind === 'array') {
    if (type.kind !== 'array') return false
    if (term.items.length !== type.static.length && type.dynamic === undefined) return false
    return term.items.every((item, i) => {
      const of = type.static[i] ?? type.dynamic
      return of !== undefined && unifyTerm(checker, item, of, widen)
    })
  }
  if (term.kind === 'set') {
    if (type.kind !== 'set') return false
    return term.items.every((item) => unifyTerm(checker, item, type.of, widen))
  }
  if (type.kind !== 'object') return false
  if (term.entries.length !== type.static.length && type.dynamic === undefined) return false
  return term.entries.every(([key, value]) => {
    if (key.kind !== 'scalar') {
      unifyTerm(checker, value, ANY, widen)
      return true
    }
    const of = select(type, key.value)
    return of !== undefined && unifyTerm(checker, value, of, widen)
  })
}

const partsOf = (term: Composite): readonly Term[] =>
  term.kind === 'object' ? term.entries.map(([, value]) => value) : term.items

/** Makes both sides of an equation have one type; false when they cannot be equal. */
export const unifyTerms = (checker: Checker, a: Term, b: Term): boolean => {
  const typeA = checker.typeOf(a)
  const typeB = checker.typeOf(b)
  if (typeA !== undefined && typeB !== undefined) return overlap(typeA, typeB)
  if (typeB !== undefined) return unifyTerm(checker, a, typeB)
  if (typeA !== undefined) return unifyTerm(checker, b, typeA)
  // both have open variables
  if (a.kind === 'array' && b.kind === 'array') {
    return (
      a.items.length === b.items.length &&
      a.items.every((item, i) => unifyTerms(checker, item, b.items[i] as Term))
    )
  }
  if (a.kind === 'object' && b.kind === 'object') return unifyObjects(checker, a, b)
  if (a.kind === 'var' || b.kind === 'var') {
    // what stands on the other side is not known yet
    return unifyTerm(checker, a, ANY) && unifyTerm(checker, b, ANY)
  }
  return a.kind === b.kind || a.kind === 'ref' || b.kind === 'ref'
}

type ObjectTerm = Extract<Term, { kind: 'object' }>

const unifyObjects = (checker: Checker, a: ObjectTerm, b: ObjectTerm): boolean => {
  if (a.entries.length !== b.entries.length) return false
  return a.entries.every(([key, value]) => {
    if (key.kind !== 'scalar') return true
    const other = b.entries.find(([k]) => k.kind === 'scalar' && equal(k.value, key.value))
    if (other !== undefined) return unifyTerms(checker, value, other[1])
    // a key that is a variable may turn out to be this one
    return b.entries.some(([k]) => k.kind !== 'scalar')
  })
}

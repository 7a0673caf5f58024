import { ANY, type Type } from '../builtins/types.ts'
import { constantOf } from '../compile/constants.ts'
import type { Term } from '../syntax/ast.ts'
import { sameKey } from './keys.ts'
import { join, overlap, select } from './lattice.ts'
import type { Scope } from './scope.ts'

/**
 * Assigns a type to a term: untyped variables receive it. False if the term can have no value of
 * that type. With `widen`, typed variables receive the union of both.
 */
export function unifyTerm(scope: Scope, term: Term, type: Type, widen = false): boolean {
  switch (term.kind) {
    case 'var':
      return unifyVar(scope, term.name, type, widen)
    case 'array':
    case 'set':
    case 'object':
      return unifyComposite(scope, term, type, widen)
    default: {
      const own = scope.typeOf(term)
      return own === undefined || overlap(own, type)
    }
  }
}

function unifyVar(scope: Scope, name: string, type: Type, widen: boolean): boolean {
  if (name === 'data' || name === 'input') return type.kind !== 'function'
  const own = scope.locals.get(name)
  if (own === undefined) scope.locals.put(name, type)
  else if (widen) scope.locals.put(name, join([own, type]))
  else return overlap(own, type)
  return true
}

type Composite = Extract<Term, { kind: 'array' | 'set' | 'object' }>

function unifyComposite(scope: Scope, term: Composite, type: Type, widen: boolean): boolean {
  if (type.kind === 'any') {
    for (const part of partsOf(term)) unifyTerm(scope, part, ANY, true)
    return true
  }
  if (type.kind === 'union') {
    // Tries every member, so that variables inside receive the types of all.
    let some = false
    for (const member of type.of) some = unifyTerm(scope, term, member, true) || some
    return some
  }
  if (term.kind === 'array') {
    if (type.kind !== 'array') return false
    if (term.items.length !== type.static.length && type.dynamic === undefined) return false
    return term.items.every((item, i) => {
      const of = type.static[i] ?? type.dynamic
      return of !== undefined && unifyTerm(scope, item, of, widen)
    })
  }
  if (term.kind === 'set') {
    if (type.kind !== 'set') return false
    return term.items.every((item) => unifyTerm(scope, item, type.of, widen))
  }
  if (type.kind !== 'object') return false
  if (term.entries.length !== type.static.length && type.dynamic === undefined) return false
  return term.entries.every(([key, value]) => {
    const constant = constantOf(key)
    if (constant === undefined) {
      unifyTerm(scope, value, ANY, widen)
      return true
    }
    const of = select(type, constant)
    return of !== undefined && unifyTerm(scope, value, of, widen)
  })
}

const partsOf = (term: Composite): readonly Term[] =>
  term.kind === 'object' ? term.entries.map(([, value]) => value) : term.items

/** Makes both sides of an equation have one type; false if they cannot be equal. */
export function unifyTerms(scope: Scope, a: Term, b: Term): boolean {
  const typeA = scope.typeOf(a)
  const typeB = scope.typeOf(b)
  if (typeA !== undefined && typeB !== undefined) return overlap(typeA, typeB)
  if (typeB !== undefined) return unifyTerm(scope, a, typeB)
  if (typeA !== undefined) return unifyTerm(scope, b, typeA)
  // Both have untyped variables.
  if (a.kind === 'array' && b.kind === 'array') {
    return (
      a.items.length === b.items.length &&
      a.items.every((item, i) => unifyTerms(scope, item, b.items[i] as Term))
    )
  }
  if (a.kind === 'object' && b.kind === 'object') return unifyObjects(scope, a, b)
  if (a.kind === 'var' || b.kind === 'var') {
    // The other side is not yet known.
    return unifyTerm(scope, a, ANY) && unifyTerm(scope, b, ANY)
  }
  return a.kind === b.kind || a.kind === 'ref' || b.kind === 'ref'
}

type ObjectTerm = Extract<Term, { kind: 'object' }>

function unifyObjects(scope: Scope, a: ObjectTerm, b: ObjectTerm): boolean {
  if (a.entries.length !== b.entries.length) return false
  return a.entries.every(([key, value]) => {
    const constant = constantOf(key)
    if (constant === undefined) return true
    const constants = b.entries.map(([k]) => constantOf(k))
    const i = constants.findIndex((each) => each !== undefined && sameKey(each, constant))
    if (i >= 0) return unifyTerms(scope, value, b.entries[i]![1])
    // A variable key may have this value.
    return constants.includes(undefined)
  })
}

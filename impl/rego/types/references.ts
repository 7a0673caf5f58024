import { ANY, type Type } from '../builtins/types.ts'
import type { Ref, Term } from '../syntax/ast.ts'
import { display } from '../values/display.ts'
import type { Checker } from './bodies.ts'
import { undefinedRef } from './faults.ts'
import { keysOf, select, valuesOf } from './lattice.ts'
import { unifyTerm } from './unify.ts'

type Base = { readonly type: Type; readonly path: readonly Term[] }

/** Where a reference starts: the type of its head, or of the rule it leads to. */
const baseOf = (checker: Checker, ref: Ref): Base => {
  const { head, path } = ref
  if (head.kind !== 'var') return { type: checker.typeOf(head) ?? ANY, path }
  if (head.name === 'input') return { type: ANY, path }
  if (head.name !== 'data') return { type: checker.locals.get(head.name) ?? ANY, path }
  const found = checker.context.documents.find(path)
  if (found.kind === 'open') return { type: ANY, path }
  const rest = path.slice(path.length - found.rest)
  const { type } = found
  // a function without arguments is a rule that may also be called
  const value = type.kind === 'function' && type.args.length === 0 ? type.result : type
  return { type: checker.mocked && value.kind !== 'function' ? ANY : value, path: rest }
}

/** The type of a reference, without a look at whether it is right. */
export const typeOfRef = (checker: Checker, ref: Ref): Type | undefined => {
  const base = baseOf(checker, ref)
  let type: Type | undefined = base.type
  for (const part of base.path) {
    if (type === undefined) return undefined
    type = part.kind === 'scalar' ? select(type, part.value) : valuesOf(type)
  }
  // what is not there was reported where the reference stands
  return type ?? ANY
}

/** Reports a reference that leads nowhere, and gives types to the variables in it. */
export const checkRef = (checker: Checker, ref: Ref): void => {
  const base = baseOf(checker, ref)
  if (base.type.kind === 'function') {
    checker.context.report(undefinedRef(ref.span, ref.span.text, { have: base.type }))
    return
  }
  let type: Type = base.type
  for (const part of base.path) {
    const next = step(checker, type, part)
    if (next === undefined) {
      const details = { have: checker.typeOf(part), want: keysOf(type), oneOf: namesIn(type) }
      const shown = keysOf(type) === undefined ? { have: type } : details
      checker.context.report(undefinedRef(ref.span, ref.span.text, shown))
      return
    }
    type = next
  }
}

/** One part of a path further; undefined where there can be nothing. */
const step = (checker: Checker, type: Type, part: Term): Type | undefined => {
  const keys = keysOf(type)
  if (keys === undefined) return undefined
  if (part.kind === 'scalar') return select(type, part.value)
  if (!unifyTerm(checker, part, keys)) return undefined
  return valuesOf(type)
}

const namesIn = (type: Type): readonly string[] => {
  if (type.kind === 'union') return [...new Set(type.of.flatMap(namesIn))]
  return type.kind === 'object' ? type.static.map(({ key }) => display(key)) : []
}

import { ANY, type Type } from '../builtins/types.ts'
import type { Ref, Term } from '../syntax/ast.ts'
import { display } from '../values/display.ts'
import { calleeName } from './calls.ts'
import { undefinedFunction, undefinedRef } from './faults.ts'
import { keysOf, select, valuesOf } from './lattice.ts'
import type { Scope } from './scope.ts'
import { unifyTerm } from './unify.ts'

type Base = { readonly type: Type; readonly path: readonly Term[] }

/** The start of a reference: the type of its head, or of the rule it leads to. */
function baseOf(scope: Scope, ref: Ref): Base {
  const { head, path } = ref
  if (head.kind !== 'var') return { type: scope.typeOf(head) ?? ANY, path }
  if (head.name === 'input') return { type: scope.context.schemas?.input ?? ANY, path }
  if (head.name !== 'data') return { type: scope.locals.get(head.name) ?? ANY, path }
  const found = scope.context.documents.find(path)
  if (found.kind === 'open') return { type: scope.context.schemas?.data ?? ANY, path }
  const rest = path.slice(path.length - found.rest)
  const { type } = found
  // A function without arguments is a rule that may also be called.
  const value = type.kind === 'function' && type.args.length === 0 ? type.result : type
  return { type: scope.mocked && value.kind !== 'function' ? ANY : value, path: rest }
}

/** The type of a reference, without checking it. */
export function typeOfRef(scope: Scope, ref: Ref): Type | undefined {
  const base = baseOf(scope, ref)
  let type: Type | undefined = base.type
  for (const part of base.path) {
    if (type === undefined) return undefined
    type = part.kind === 'scalar' ? select(type, part.value) : valuesOf(type)
  }
  // Missing parts were reported at the location of the reference.
  return type ?? ANY
}

/** Reports an invalid reference, and infers the types of its variables. */
export function checkRef(scope: Scope, ref: Ref): void {
  const base = baseOf(scope, ref)
  if (base.type.kind === 'function') {
    scope.context.report(undefinedRef(ref.span, ref.span.text, { have: base.type }))
    return
  }
  if (
    ref.isCalled &&
    scope.context.dialect === 'opa-1.2' &&
    typeOfRef(scope, ref)?.kind !== 'any'
  ) {
    scope.context.report(undefinedFunction(ref.span, calleeName(ref)))
    return
  }
  let type: Type = base.type
  for (const part of base.path) {
    const next = step(scope, type, part)
    if (next === undefined) {
      const details = { have: scope.typeOf(part), want: keysOf(type), oneOf: namesIn(type) }
      const shown = keysOf(type) === undefined ? { have: type } : details
      scope.context.report(undefinedRef(ref.span, ref.span.text, shown))
      return
    }
    type = next
  }
}

/** The type after one more path part; undefined if there can be no value. */
function step(scope: Scope, type: Type, part: Term): Type | undefined {
  const keys = keysOf(type)
  if (keys === undefined) return undefined
  if (part.kind === 'scalar') {
    const isIndex = type.kind !== 'array' || scope.context.dialect !== 'opa-1.2'
    // `1.0` is not an index of an array in OPA.
    return isIndex || !/[.eE]/.test(part.span.text) ? select(type, part.value) : undefined
  }
  if (!unifyTerm(scope, part, keys)) return undefined
  return valuesOf(type)
}

function namesIn(type: Type): readonly string[] {
  if (type.kind === 'union') return [...new Set(type.of.flatMap(namesIn))]
  return type.kind === 'object' ? type.static.map(({ key }) => display(key)) : []
}

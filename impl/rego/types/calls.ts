import { ANY, type Type } from '../builtins/types.ts'
import type { Call, Ref, Term, Var } from '../syntax/ast.ts'
import { undefinedFunction, wrongArguments, wrongArity } from './faults.ts'
import type { Context, Scope } from './scope.ts'
import { unifyTerm } from './unify.ts'

export type FunctionType = Extract<Type, { kind: 'function' }>

/** A callable function: its name for messages, its type, and its origin. */
export type Callee = {
  readonly name: string
  readonly type: FunctionType
  readonly builtin: boolean
}

/** `array.concat`, `data.lib.f`: the name in a call. */
export function calleeName(operator: Term): string {
  if (operator.kind === 'var') return operator.source ?? operator.name
  return operator.kind === 'ref' ? refName(operator) : operator.span.text
}

function refName(ref: Ref): string {
  const parts = ref.path.map((part) =>
    part.kind === 'scalar' ? String(part.value) : part.span.text,
  )
  return [(ref.head as Var).name, ...parts].join('.')
}

/** The function that a term refers to, a built-in or a rule. */
export function findCallee(context: Context, operator: Term): Callee | undefined {
  const name = calleeName(operator)
  if (operator.kind === 'ref' && operator.head.kind === 'var' && operator.head.name === 'data') {
    const type = context.documents.functionAt(operator.path)
    return type === undefined ? undefined : { name, type, builtin: false }
  }
  const builtin = context.builtins.get(name)
  if (builtin === undefined) return undefined
  const { args, result, variadic } = builtin
  const type: FunctionType = { kind: 'function', args, result, ...(variadic ? { variadic } : {}) }
  return { name, type, builtin: true }
}

/** Checks the arguments of a call, which were visited, and returns the type of its result. */
export function typeOfCall(scope: Scope, call: Call): Type {
  const { context } = scope
  const callee = findCallee(context, call.operator)
  if (callee === undefined) {
    context.report(undefinedFunction(call.span, calleeName(call.operator)))
    return ANY
  }
  const { type } = callee
  const fits =
    call.args.length === type.args.length ||
    // One additional argument receives the result.
    call.args.length === type.args.length + 1 ||
    (call.args.length > type.args.length && type.variadic !== undefined)
  if (!fits) {
    context.report(
      callee.builtin
        ? wrongArguments(call.span, callee.name, 'arity mismatch', typesOf(scope, call), type.args)
        : wrongArity(call.span, callee.name, type.args.length, call.args.length),
    )
    return ANY
  }
  const result = scope.mocked ? ANY : type.result
  const have = typesOf(scope, call)
  if (!call.args.every((arg, i) => unifyTerm(scope, arg, wantedAt(type, result, i)))) {
    const want = call.args.map((_, i) => wantedAt(type, result, i))
    context.report(wrongArguments(call.span, callee.name, 'invalid argument(s)', have, want))
    return ANY
  }
  return result
}

/** The required type of argument `i`; the one after the last receives the result. */
const wantedAt = (type: FunctionType, result: Type, i: number): Type =>
  type.args[i] ?? type.variadic ?? result

const typesOf = (scope: Scope, call: Call): (Type | undefined)[] =>
  call.args.map((arg) => scope.typeOf(arg))

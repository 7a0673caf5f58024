import { RegoError, type RegoErrorCode } from '../errors.ts'
import type { Body, Call, Literal, Ref, Term, Var } from '../syntax/ast.ts'
import { isWildcard, variable } from '../syntax/ast.ts'
import type { Span } from '../syntax/source.ts'
import type { Dialect } from './dialect.ts'
import type { Globals } from './globals.ts'
import { constantPath } from './references.ts'
import { pathText } from './resolved.ts'
import { declaredNames, type Occurrence, Scope } from './scope.ts'

/** Information about the rest of the program for name resolution. */
export type ResolveContext = {
  readonly globals: Globals
  /** Whether there is a built-in of this name. */
  readonly isBuiltin: (name: string) => boolean
  /** Whether rules of this path may be called without arguments. */
  readonly isNullary: (path: string) => boolean
  readonly dialect: Dialect
  /** What is used and what is not, where unused names are errors. */
  readonly strict?: StrictNames | undefined
}

export type StrictNames = {
  /** The names of imports and rules that are used. */
  readonly used: Set<string>
  /** The errors of variables and arguments that are not used. */
  readonly unused: RegoError[]
}

const INFIX: Readonly<Record<string, string>> = { eq: '=', assign: ':=' }

export const isRootName = (name: string): boolean => name === 'data' || name === 'input'

/** Resolves the names in terms, and maintains their scopes. */
export abstract class TermResolver {
  protected readonly context: ResolveContext
  private counter = 0

  constructor(context: ResolveContext) {
    this.context = context
  }

  protected abstract body(body: Body, scope: Scope, first: Body): Literal[]

  /** The calls `eq(a, b)` and `assign(a, b)` as statements are `a = b` and `a := b`. */
  protected statements(body: Body): Body {
    return body.map((literal) => {
      if (literal.kind !== 'term' || literal.term.kind !== 'call') return literal
      const { term } = literal
      const name = term.operator.kind === 'var' ? term.operator.name : ''
      const infix = Object.hasOwn(INFIX, name) ? INFIX[name] : undefined
      const isOperator = term.infix === undefined && infix !== undefined && term.args.length === 2
      if (!isOperator || this.context.globals.has(name)) return literal
      return { ...literal, term: { ...term, infix } }
    })
  }

  protected unique(name: string): string {
    return `${name}#${this.counter++}`
  }

  protected declare(
    scope: Scope,
    written: string,
    occurrence: Occurrence,
    span: Span,
    name = this.unique(written),
  ): string {
    const before = scope.declarations.get(written)
    if (before !== undefined) {
      const message =
        before.occurrence === 'argument'
          ? `arg ${written} redeclared`
          : `var ${written} ${before.occurrence === 'seen' ? 'referenced' : before.occurrence} above`
      this.fail(message, span)
    }
    scope.declarations.set(written, { name, occurrence, offset: span.start, used: false })
    if (occurrence === 'assigned') this.declaredAt.set(name, span)
    return name
  }

  protected checkUsed(scope: Scope): void {
    for (const [written, { name, occurrence, used }] of scope.declarations) {
      const span = this.declaredAt.get(name)
      if (used || span === undefined) continue
      const message = `${occurrence} var ${written} unused`
      if (occurrence === 'declared') this.fail(message, span)
      this.reportUnused(message, span)
    }
  }

  /** One of a rule, as in OPA. */
  protected reportUnused(message: string, { location }: Span): void {
    if (this.hasUnused) return
    this.hasUnused = true
    this.context.strict?.unused.push(new RegoError('rego_compile_error', message, { location }))
  }

  private hasUnused = false

  /** Location of `some x` and `x := 1`, the declarations that must be used, the latter only if unused names are errors. */
  protected readonly declaredAt = new Map<string, Span>()

  /** A built-in used as a value, not called: in `with`. */
  protected functionName(term: Term, scope: Scope): Var | undefined {
    const name = dotted(term)
    if (name === undefined || !this.context.isBuiltin(name)) return undefined
    const [first = ''] = name.split('.')
    if (scope.hides(first) || this.context.globals.has(first)) return undefined
    return variable(name, term.span)
  }

  protected term(term: Term, scope: Scope): Term {
    switch (term.kind) {
      case 'scalar':
        return term
      case 'var':
        return this.variable(term, scope)
      case 'ref':
        return this.ref(term, scope)
      case 'array':
      case 'set':
        return { ...term, items: term.items.map((item) => this.term(item, scope)) }
      case 'object': {
        const entries = term.entries.map(
          ([key, value]) => [this.term(key, scope), this.term(value, scope)] as const,
        )
        return { ...term, entries }
      }
      case 'call':
        return this.call(term, scope)
      case 'arrayComprehension':
      case 'setComprehension': {
        const own = this.statements(term.body)
        const inner = new Scope(scope, declaredNames(own))
        const body = this.body(own, inner, [])
        const head = this.term(term.head, inner)
        this.checkUsed(inner)
        return { ...term, head, body }
      }
      case 'objectComprehension': {
        const own = this.statements(term.body)
        const inner = new Scope(scope, declaredNames(own))
        const body = this.body(own, inner, [])
        const key = this.term(term.key, inner)
        const value = this.term(term.value, inner)
        this.checkUsed(inner)
        return { ...term, key, value, body }
      }
      case 'template': {
        const parts = term.parts.map((part) => {
          if (typeof part === 'string') return part
          const inner = new Scope(scope, declaredNames([part]))
          return this.body([part], inner, [])[0] as Literal
        })
        return { ...term, parts }
      }
    }
  }

  protected variable(term: Var, scope: Scope): Term {
    const { name } = term
    if (isWildcard(name) || name.startsWith('#')) return term
    if (isRootName(name)) return term
    const declared = scope.find(name)
    if (declared !== undefined) {
      declared.used = true
      return variable(declared.name, term.span, name)
    }
    const global = scope.hides(name) ? undefined : this.context.globals.get(name)
    if (global !== undefined) this.context.strict?.used.add(name)
    if (global !== undefined) return { ...global, span: term.span }
    if (scope.declares.has(name)) this.seen(name, scope, term.span)
    const free = scope.findFree(name)
    if (free === undefined) scope.free.set(name, name)
    return free === undefined || free === name ? term : variable(free, term.span, name)
  }

  protected ref(term: Ref, scope: Scope): Term {
    const path = term.path.map((part) => this.term(part, scope))
    const head = this.term(term.head, scope)
    if (head.kind === 'ref') return { ...head, path: [...head.path, ...path], span: term.span }
    return { ...term, head, path }
  }

  /** `isStatement`: nothing needs its result. */
  protected call(term: Call, scope: Scope, isStatement = false): Call | Ref {
    const args = term.args.map((arg) => this.term(arg, scope))
    if (term.infix !== undefined) return { ...term, args }
    const name = dotted(term.operator)
    const [first = ''] = name?.split('.') ?? []
    const { span } = term.operator
    if (name !== undefined) this.checkShadowed(name, scope, span, isStatement)
    if (name !== undefined && !this.context.globals.has(first) && !isRootName(first)) {
      const local = scope.find(first)
      if (local !== undefined) local.used = true
      return { ...term, operator: variable(name, span), args }
    }
    const target = this.term(term.operator, scope)
    if (target.kind === 'ref' && name !== undefined) {
      const path = constantPath(target.path)
      if (args.length === 0 && this.context.isNullary(pathText(path))) {
        return { ...target, isCalled: true, span: term.span }
      }
      return { ...term, operator: target, args }
    }
    return this.fail(`undefined function ${term.operator.span.text}`, span, 'rego_type_error')
  }

  /**
   * A variable with the name of a called function. OPA refuses it; in the engine at 0.9 the built-in
   * is called.
   */
  private checkShadowed(name: string, scope: Scope, span: Span, isStatement: boolean): void {
    const [first = ''] = name.split('.')
    if (this.context.dialect !== 'opa-1.2' && !this.context.globals.has(first)) return
    const local = scope.find(first)
    // OPA looks for hidden functions in calls within others, and later for functions that are none.
    if (local?.occurrence === 'argument' || (local !== undefined && isStatement)) {
      this.fail(`undefined function ${name}`, span, 'rego_type_error')
    }
    if (local !== undefined) this.fail(`called function ${name} shadowed`, span)
    if (scope.declares.has(first)) this.seen(first, scope, span)
  }

  /** Marks a name that the body declares only later, which is then an error. */
  private seen(name: string, scope: Scope, span: Span): void {
    if (scope.declarations.has(name)) return
    const offset = span.start
    scope.declarations.set(name, { name, occurrence: 'seen', offset, used: true })
  }

  protected fail(message: string, span: Span, code: RegoErrorCode = 'rego_compile_error'): never {
    throw new RegoError(code, message, { location: span.location })
  }
}

/** `json.marshal` from a reference of names only. */
function dotted(term: Term): string | undefined {
  if (term.kind === 'var') return term.name
  if (term.kind !== 'ref' || term.head.kind !== 'var') return undefined
  let name = term.head.name
  for (const part of term.path) {
    if (part.kind !== 'scalar' || typeof part.value !== 'string') return undefined
    name += `.${part.value}`
  }
  return name
}

import { ANY, STRING, type Type } from '../builtins/types.ts'
import { constantOf } from '../compile/constants.ts'
import type { Body, Call, Every, Literal, Ref, SomeIn, Term, With } from '../syntax/ast.ts'
import type { Value } from '../values/value.ts'
import { typeOfCall } from './calls.ts'
import { noMatch, undefinedRef } from './faults.ts'
import { arrayType, join, keysOf, objectType, typeOfConstant, valuesOf } from './lattice.ts'
import type { Locals } from './locals.ts'
import { checkRef, typeOfRef } from './references.ts'
import type { Context, Scope } from './scope.ts'
import { unifyTerm, unifyTerms } from './unify.ts'
import { checkWith } from './withs.ts'

/**
 * Infers the types of variables from the literals of a body in their order of evaluation, and
 * reports expressions that can never hold.
 */
export class Checker implements Scope {
  readonly context: Context
  readonly locals: Locals
  mocked: boolean
  /** Types of calls and comprehensions, which are checked once. */
  private readonly known: Map<Term, Type>

  constructor(
    context: Context,
    locals: Locals,
    inherited: { readonly mocked: boolean; readonly known: Map<Term, Type> } = {
      mocked: false,
      known: new Map(),
    },
  ) {
    this.context = context
    this.locals = locals
    this.mocked = inherited.mocked
    this.known = inherited.known
  }

  body(body: Body): void {
    for (const literal of body) this.literal(literal)
  }

  visit(term: Term): Type | undefined {
    switch (term.kind) {
      case 'array':
      case 'set':
        for (const item of term.items) this.visit(item)
        break
      case 'object':
        for (const [key, value] of term.entries) {
          this.visit(key)
          this.visit(value)
        }
        break
      case 'ref':
        this.ref(term)
        break
      case 'call':
        this.call(term)
        break
      case 'arrayComprehension':
      case 'setComprehension': {
        const inner = this.closure(term.body)
        const head = inner.visit(term.head) ?? ANY
        this.known.set(
          term,
          term.kind === 'setComprehension'
            ? { kind: 'set', of: head }
            : { kind: 'array', static: [], dynamic: head },
        )
        break
      }
      case 'objectComprehension': {
        const inner = this.closure(term.body)
        const dynamic = { key: inner.visit(term.key) ?? ANY, value: inner.visit(term.value) ?? ANY }
        this.known.set(term, { kind: 'object', static: [], dynamic })
        break
      }
      case 'template':
        for (const part of term.parts) if (typeof part !== 'string') this.closure([part])
        break
      default:
    }
    return this.typeOf(term)
  }

  typeOf(term: Term): Type | undefined {
    switch (term.kind) {
      case 'scalar':
        return typeOfConstant(term.value)
      case 'var':
        if (term.name === 'input') return this.context.schemas?.input ?? ANY
        return term.name === 'data' ? ANY : this.locals.get(term.name)
      case 'ref':
        return typeOfRef(this, term)
      case 'array': {
        const items = this.typesOf(term.items)
        return items === undefined ? undefined : arrayType(items)
      }
      case 'set': {
        const items = this.typesOf(term.items)
        return items === undefined ? undefined : { kind: 'set', of: join(items) }
      }
      case 'object':
        return this.objectType(term.entries)
      case 'template':
        return STRING
      default:
        return this.known.get(term) ?? ANY
    }
  }

  private typesOf(terms: readonly Term[]): Type[] | undefined {
    const types: Type[] = []
    for (const term of terms) {
      const type = this.typeOf(term)
      if (type === undefined) return undefined
      types.push(type)
    }
    return types
  }

  private objectType(entries: readonly (readonly [Term, Term])[]): Type | undefined {
    const fixed: { key: Value; value: Type }[] = []
    const keys: Type[] = []
    const values: Type[] = []
    for (const [key, value] of entries) {
      const of = this.typeOf(value)
      if (of === undefined) return undefined
      const constant = constantOf(key)
      if (constant !== undefined) {
        fixed.push({ key: constant, value: of })
        continue
      }
      keys.push(this.typeOf(key) ?? ANY)
      values.push(of)
    }
    return objectType(
      fixed,
      keys.length === 0 ? undefined : { key: join(keys), value: join(values) },
    )
  }

  private closure(body: Body): Checker {
    const inner = new Checker(this.context, this.locals.child(), {
      mocked: this.mocked,
      known: this.known,
    })
    inner.body(body)
    return inner
  }

  private ref(ref: Ref): void {
    if (ref.head.kind !== 'var') this.visit(ref.head)
    for (const part of ref.path) if (part.kind !== 'var') this.visit(part)
    checkRef(this, ref)
  }

  private call(call: Call): void {
    for (const arg of call.args) this.visit(arg)
    this.known.set(call, typeOfCall(this, call))
  }

  private literal(literal: Literal): void {
    const outer = this.mocked
    for (const each of literal.withs) this.with(each)
    switch (literal.kind) {
      case 'term':
        this.statement(literal.term)
        break
      case 'someIn':
        this.someIn(literal)
        break
      case 'every':
        this.every(literal)
        break
      default:
    }
    this.mocked = outer
  }

  private with(each: With): void {
    if (checkWith(this, each)) this.mocked = true
  }

  private statement(term: Term): void {
    if (term.kind !== 'call' || !isEquation(term, this.context.isQuery === true)) {
      this.visit(term)
      return
    }
    const [left, right] = term.args as readonly [Term, Term]
    this.visit(left)
    this.visit(right)
    // The pattern of an argument: its variables have the types that the rest of the body gives them.
    if (left.kind === 'var' && left.name.startsWith('#')) return
    const types = [this.typeOf(left), this.typeOf(right)] as const
    if (!unifyTerms(this, left, right)) this.context.report(noMatch(term.span, ...types))
  }

  private someIn(literal: SomeIn): void {
    const { key, value, domain } = literal
    const type = this.visit(domain) ?? ANY
    const keys = keysOf(type)
    const values = valuesOf(type)
    if (keys === undefined || values === undefined) {
      if (domain.kind !== 'ref' || this.context.dialect === 'opa-1.2') {
        this.context.report(undefinedRef(domain.span, domain.span.text, { have: type }))
      }
      for (const pattern of [key, value]) {
        if (pattern !== undefined) unifyTerm(this, pattern, ANY)
      }
      return
    }
    for (const [pattern, of] of [
      [key, keys],
      [value, values],
    ] as const) {
      if (pattern === undefined) continue
      this.visit(pattern)
      const before = this.typeOf(pattern)
      if (!unifyTerm(this, pattern, of)) this.context.report(noMatch(pattern.span, before, of))
    }
  }

  private every(literal: Every): void {
    const type = this.visit(literal.domain) ?? ANY
    const inner = new Checker(this.context, this.locals.child(), {
      mocked: this.mocked,
      known: this.known,
    })
    // `every` holds for a non-collection, whatever its body is.
    if (literal.key !== undefined) inner.locals.put(literal.key.name, keysOf(type) ?? ANY)
    inner.locals.put(literal.value.name, valuesOf(type) ?? ANY)
    inner.body(literal.body)
  }
}

const EQUATIONS: ReadonlySet<string> = new Set(['eq', 'assign', 'equal'])

/** `=`, `:=` or, except in queries, `==` between two terms, used as a statement. */
const isEquation = ({ operator, args }: Call, isQuery: boolean): boolean =>
  operator.kind === 'var' &&
  EQUATIONS.has(operator.name) &&
  args.length === 2 &&
  !(isQuery && operator.name === 'equal')

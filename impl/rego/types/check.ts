import type { Builtin } from '../builtins/builtin.ts'
import { ANY, type Type } from '../builtins/types.ts'
import type { Dialect } from '../compile/dialect.ts'
import type { Program, TypeCheck } from '../compile/program.ts'
import type { Branch, ResolvedRule } from '../compile/resolved.ts'
import { walkTerm } from '../compile/visit.ts'
import { RegoError } from '../errors.ts'
import type { Body, Literal, Term } from '../syntax/ast.ts'
import { Checker } from './bodies.ts'
import { type Contribution, Documents, documentType, mergeDocuments } from './documents.ts'
import { Locals } from './locals.ts'
import type { Schemas } from './schemas.ts'
import type { Context } from './scope.ts'

type Checked = {
  readonly builtins: ReadonlyMap<string, Builtin>
  readonly dialect?: Dialect
  /** Bodies in the order of evaluation. */
  readonly rules: readonly ResolvedRule[]
}

/**
 * Stored in the program: a WeakMap would keep young programs alive until the next full collection.
 */
function checkerOf(program: Program): TypeChecker {
  if (program.types instanceof TypeChecker) return program.types
  const checker = new TypeChecker(program)
  program.types = checker
  return checker
}

function throwFirst(errors: readonly RegoError[]): void {
  const [first] = errors
  if (first !== undefined) throw first
}

/** Type-checks a program or a query; throws the first fault. */
export const typeCheck: TypeCheck = {
  program: (program) => throwFirst(checkerOf(program).errors),
  query: (program, body) => throwFirst(checkerOf(program).checkQuery(body)),
}

/** The types of a set of rules, their faults, and the faults of queries against them. */
export class TypeChecker {
  readonly errors: readonly RegoError[]
  private readonly context: Context
  private readonly schemas: Schemas | undefined

  /** Infers the types of all rules, each after its dependencies. */
  constructor({ builtins, rules, dialect }: Checked, schemas?: Schemas) {
    this.schemas = schemas
    const errors: RegoError[] = []
    const report = (error: RegoError): void => {
      errors.push(error)
    }
    const documents = new Documents(rules, (some) => this.typeOfRules(some, errors))
    this.context = { builtins, documents, report, dialect }
    documents.all()
    this.errors = errors.sort(byPlace)
  }

  /** The faults of a query, resolved and in the order of evaluation. */
  checkQuery(body: Body): readonly RegoError[] {
    const errors: RegoError[] = []
    const report = (error: RegoError): void => {
      errors.push(error)
    }
    new Checker({ ...this.context, isQuery: true, report }, new Locals()).body(body)
    return errors.sort(byPlace)
  }

  private typeOfRules(rules: readonly ResolvedRule[], errors: readonly RegoError[]): Type {
    const types = rules.map((rule) => {
      const before = errors.length
      const context = this.contextOf(rule)
      const parts = rule.branches.map((branch) => this.branch(rule, branch, context))
      // Rules that depend on a faulty rule are not reported.
      return documentType(rule, errors.length > before ? [] : parts)
    })
    return mergeDocuments(rules[0] as ResolvedRule, types)
  }

  /** With the types that schemas give to what the rule reads. */
  private contextOf(rule: ResolvedRule): Context {
    if (this.schemas === undefined) return this.context
    try {
      return { ...this.context, schemas: this.schemas.of(rule) }
    } catch (error) {
      if (!(error instanceof RegoError)) throw error
      this.context.report(error)
      return this.context
    }
  }

  private branch(
    rule: ResolvedRule,
    { body, member, value }: Branch,
    context: Context,
  ): Contribution {
    const locals = new Locals()
    const checker = new Checker(context, locals)
    checker.body(body)
    const keys = rule.rest.map((part) => checker.visit(part) ?? ANY)
    const head = member ?? value
    const result = head === undefined ? ANY : (checker.visit(head) ?? ANY)
    // Variables that the body does not constrain may have any type.
    const args = (rule.args ?? []).map(({ name }) => {
      const pattern = patternOf(body, name)
      if (pattern === undefined) return locals.get(name) ?? ANY
      walkTerm(pattern, (part) => {
        if (part.kind === 'var' && locals.get(part.name) === undefined) locals.put(part.name, ANY)
        return true
      })
      return checker.typeOf(pattern) ?? ANY
    })
    return { args, keys, result: body.some(isFalse) ? ANY : result }
  }
}

/** The pattern of an argument: the other side of its equation. */
function patternOf(body: Body, name: string): Term | undefined {
  for (const literal of body) {
    if (literal.kind !== 'term' || literal.term.kind !== 'call') continue
    const [left, right] = literal.term.args
    if (left?.kind === 'var' && left.name === name && name.startsWith('#')) return right
  }
  return undefined
}

/** A rule disabled with `false` is undefined, so its value has any type. */
const isFalse = (literal: Literal): boolean =>
  literal.kind === 'term' &&
  !literal.negated &&
  literal.term.kind === 'scalar' &&
  literal.term.value === false

/** Orders errors by file and place; those without one come first. */
export function byPlace(a: RegoError, b: RegoError): number {
  const [x, y] = [a.location, b.location]
  if (x === undefined || y === undefined) return x === y ? 0 : x === undefined ? -1 : 1
  if (x.file !== y.file) return x.file < y.file ? -1 : 1
  return x.row - y.row || x.col - y.col
}

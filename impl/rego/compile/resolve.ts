import type {
  Body,
  Call,
  ElseBranch,
  Every,
  Literal,
  Module,
  Rule,
  Scalar,
  SomeIn,
  SomeVars,
  Term,
  Var,
  With,
} from '../syntax/ast.ts'
import { isWildcard, variable } from '../syntax/ast.ts'
import { isComposite, type Scalar as ScalarValue, typeName } from '../values/value.ts'
import { argumentNames, checkArgument, equations } from './arguments.ts'
import type { Branch, ResolvedRule } from './resolved.ts'
import { declaredNames, directNames, type Occurrence, patternVars, Scope } from './scope.ts'
import { isRootName, TermResolver } from './termResolver.ts'
import { isClosure, walkTerm } from './visit.ts'

/**
 * Resolves the names of one rule or query: rules and imports become full references, local
 * variables get names that are unique within the rule.
 *
 * @throws RegoError for redeclarations, shadowed roots and unused declarations
 */
export class Resolver extends TermResolver {
  rule(rule: Rule, module: Module, id: number): ResolvedRule {
    const { head } = rule
    const name = head.ref.head as Var
    this.checkBody(rule)
    if (isRootName(name.name)) {
      const message = `rules must not shadow ${name.name} (use a different rule name)`
      this.fail(message, name.span)
    }
    const written = [...module.package.path.path, this.nameOf(name), ...head.ref.path]
    const constant = written.findIndex((part) => part.kind !== 'scalar' || isComposite(part.value))
    const split = constant < 0 ? written.length : constant
    const path = written.slice(0, split).map((part) => (part as Scalar).value as ScalarValue)
    // `f() := 1` is an ordinary rule that may also be called.
    const args = head.args?.length ? head.args.map((arg, i) => this.argument(arg, i)) : undefined
    let rest: readonly Term[] = []
    const branchOf = (part: Rule | ElseBranch, i: number): Branch => {
      const own = this.statements(part.body)
      const scope = new Scope(undefined, declaredNames(own))
      this.declareArguments(scope, head.args ?? [], args ?? [])
      const body = this.body(own, scope, equations(head.args, args))
      const resolved = (term: Term): Term => this.term(term, scope)
      if (i === 0) rest = written.slice(split).map(resolved)
      const { value: result, member: element } =
        'head' in part ? part.head : { value: part.value, member: undefined }
      const value = result === undefined ? undefined : resolved(result)
      const member = element === undefined ? undefined : resolved(element)
      this.checkUsed(scope)
      for (const [argument, each] of scope.declarations)
        if (each.occurrence === 'argument' && each.used) unused.delete(argument)
      return { member, value, body, span: part.span }
    }
    const unused = new Set(
      (head.args ?? []).flatMap((arg) =>
        [...argumentNames(arg)].filter((each) => !isWildcard(each)),
      ),
    )
    const branches = [rule, ...rule.elses].map(branchOf)
    const [argument] = rule.isDefault ? [] : unused
    if (argument !== undefined) {
      const hint = '(hint: use _ (wildcard variable) instead)'
      this.reportUnused(`unused argument ${argument}. ${hint}`, head.span)
    }
    const { isDefault, span } = rule
    return { id, rule, module, path, rest, args, branches, isDefault, span }
  }

  /** `f(1)`, a rule without a body, is true in OPA; the engine at 0.9 refuses it. */
  private checkBody({ head, body, isDefault, span }: Rule): void {
    const { args, assign, member } = head
    const isWritten = isDefault || assign !== undefined || member !== undefined || body.length > 0
    if (this.context.dialect === 'opa-1.2' || isWritten || !args?.length) return
    this.fail('`if` keyword is required before rule body', span, 'rego_parse_error')
  }

  /** The literals of a query; its free variables keep their names. */
  query(body: Body): Body {
    const own = this.statements(body)
    const scope = new Scope(undefined, declaredNames(own))
    const resolved = this.body(own, scope, [])
    this.checkUsed(scope)
    return resolved
  }

  private nameOf(name: Var): Scalar {
    return { kind: 'scalar', value: name.name, span: name.span }
  }

  /** A plain variable is kept; any other pattern becomes a variable with an equation. */
  private argument(arg: Term, index: number): Var {
    const root = arg.kind === 'ref' && arg.head.kind === 'var' ? arg.head.name : ''
    if (arg.kind === 'ref' && arg.path.length === 0 && isRootName(root)) {
      this.fail(`args must not shadow ${root} (use a different variable name)`, arg.span)
    }
    checkArgument(arg, this.context.dialect, (message, span, code) =>
      this.fail(message, span, code),
    )
    if (arg.kind !== 'var') return variable(`#arg${index}`, arg.span)
    return isWildcard(arg.name) ? arg : variable(this.unique(arg.name), arg.span, arg.name)
  }

  private declareArguments(scope: Scope, written: readonly Term[], args: readonly Var[]): void {
    // Variables first, so that the same variable in a pattern is this argument.
    written.forEach((term, i) => {
      const arg = args[i] as Var
      if (term.kind !== 'var' || isWildcard(term.name) || scope.declarations.has(term.name)) return
      this.declare(scope, term.name, 'argument', term.span, arg.name)
    })
    for (const term of written) {
      for (const name of argumentNames(term)) {
        if (!scope.declarations.has(name)) this.declare(scope, name, 'argument', term.span)
      }
    }
  }

  protected override body(body: Body, scope: Scope, first: Body): Literal[] {
    this.enter(body, scope)
    const patterns = first.map((literal) => this.literal(literal, scope))
    // To be in its own pattern is no use of an argument.
    if (first.length > 0) for (const each of scope.declarations.values()) each.used = false
    return [...patterns, ...body.map((literal) => this.literal(literal, scope))].filter(
      (literal) => literal.kind !== 'some',
    )
  }

  /** Names in the body itself are variables of it, also inside its closures. */
  private enter(body: Body, scope: Scope): void {
    for (const name of directNames(body)) {
      if (isRootName(name) || scope.hides(name) || this.context.globals.has(name)) continue
      if (scope.findFree(name) !== undefined) continue
      scope.free.set(name, scope.parent === undefined ? name : this.unique(name))
    }
  }

  private literal(literal: Literal, scope: Scope): Literal {
    switch (literal.kind) {
      case 'some':
        return this.some(literal, scope)
      case 'someIn':
        return this.someIn(literal, scope)
      case 'every':
        return this.every(literal, scope)
      case 'term': {
        const withs = literal.withs.map((each) => this.with(each, scope))
        const { term } = literal
        if (term.kind === 'call' && term.infix === ':=') {
          return { ...literal, term: this.assign(term, literal.negated, scope), withs }
        }
        const own = term.kind === 'call' ? this.call(term, scope, true) : this.term(term, scope)
        return { ...literal, term: own, withs }
      }
    }
  }

  private some(literal: SomeVars, scope: Scope): SomeVars {
    const vars = literal.vars.map((each) => {
      if (isWildcard(each.name)) return each
      this.checkRoot(each)
      const name = this.declare(scope, each.name, 'declared', each.span)
      this.declaredAt.set(name, each.span)
      return variable(name, each.span, each.name)
    })
    return { ...literal, vars }
  }

  private someIn(literal: SomeIn, scope: Scope): SomeIn {
    const withs = literal.withs.map((each) => this.with(each, scope))
    const known = this.knownIn(literal, scope)
    const domain = this.term(literal.domain, scope)
    const pattern = (term: Term): Term => this.pattern(term, 'declared', scope, known)
    const key = literal.key === undefined ? undefined : pattern(literal.key)
    const value = pattern(literal.value)
    return { ...literal, key, value, domain, withs }
  }

  /**
   * The variables of a pattern that its own domain names: in OPA those of enclosing bodies. Such a statement asks for a
   * member, where one with new variables was meant; the engine at 0.9 refuses it.
   */
  private knownIn({ key, value, domain }: SomeIn, scope: Scope): ReadonlySet<string> {
    const own = patternVars(value, key === undefined ? new Set() : patternVars(key, new Set()))
    const known = new Set<string>()
    walkTerm(domain, (part) => {
      if (part.kind === 'var' && own.has(part.name)) {
        const { name, span } = part
        const isOfOther =
          (scope.find(name) ?? scope.findFree(name)) !== undefined || isSeen(scope, name)
        if (!isOfOther) this.fail(`var ${name} is unsafe`, span, 'rego_unsafe_var_error')
        if (this.context.dialect !== 'opa-1.2') this.fail(`var ${name} referenced above`, span)
        known.add(name)
      }
      return !isClosure(part)
    })
    return known
  }

  private every(literal: Every, scope: Scope): Every {
    const withs = literal.withs.map((each) => this.with(each, scope))
    const domain = this.term(literal.domain, scope)
    const own = this.statements(literal.body)
    const inner = new Scope(scope, declaredNames(own))
    const bind = (each: Var): Var => {
      if (isWildcard(each.name)) return each
      this.checkRoot(each)
      const name = this.declare(inner, each.name, 'declared', each.span)
      this.declaredAt.set(name, each.span)
      return variable(name, each.span, each.name)
    }
    const key = literal.key === undefined ? undefined : bind(literal.key)
    const value = bind(literal.value)
    const body = this.body(own, inner, [])
    this.checkUsed(inner)
    return { ...literal, key, value, domain, body, withs }
  }

  private assign(call: Call, negated: boolean, scope: Scope): Call {
    const [left, right] = call.args as readonly [Term, Term]
    if (negated) this.fail('cannot assign vars inside negated expression', call.operator.span)
    if (left.kind === 'scalar') this.fail(`cannot assign to ${typeName(left.value)}`, left.span)
    const value = this.term(right, scope)
    return { ...call, args: [this.pattern(left, 'assigned', scope), value] }
  }

  /** The left side of `:=` or `some ... in`, which declares its variables. */
  private pattern(
    term: Term,
    occurrence: Occurrence,
    scope: Scope,
    known: ReadonlySet<string> = new Set(),
  ): Term {
    switch (term.kind) {
      case 'var': {
        if (isWildcard(term.name)) return term
        if (known.has(term.name)) return this.variable(term, scope)
        const name = this.declare(scope, term.name, occurrence, term.span)
        return variable(name, term.span, term.name)
      }
      case 'array':
        return {
          ...term,
          items: term.items.map((item) => this.pattern(item, occurrence, scope, known)),
        }
      case 'object': {
        const entries = term.entries.map(
          ([key, value]) =>
            [this.term(key, scope), this.pattern(value, occurrence, scope, known)] as const,
        )
        return { ...term, entries }
      }
      case 'scalar':
        return term
      case 'ref':
        if (term.head.kind === 'var' && term.path.length === 0) this.checkRoot(term.head)
        if (occurrence === 'declared') return this.term(term, scope)
        return this.fail('cannot assign to ref', term.span)
      default:
        if (occurrence === 'declared') return this.term(term, scope)
        return this.fail(`cannot assign to ${describe(term)}`, term.span)
    }
  }

  private checkRoot(variable: Var): void {
    if (!isRootName(variable.name)) return
    const message = `variables must not shadow ${variable.name} (use a different variable name)`
    this.fail(message, variable.span)
  }

  private with(each: With, scope: Scope): With {
    const value = this.functionName(each.value, scope) ?? this.term(each.value, scope)
    const target = this.functionName(each.target, scope) ?? this.term(each.target, scope)
    const root = target.kind === 'ref' && target.head.kind === 'var' ? target.head.name : undefined
    if (target.kind === 'var' ? !this.context.isBuiltin(target.name) : !isRootName(root ?? '')) {
      const message = 'with keyword target must reference existing input, data, or a function'
      this.fail(message, each.target.span, 'rego_type_error')
    }
    return { ...each, target, value }
  }
}

/** Whether a body names a variable before it declares it. */
const isSeen = (scope: Scope, name: string): boolean =>
  scope.declarations.get(name)?.occurrence === 'seen'

function describe(term: Term): string {
  switch (term.kind) {
    case 'arrayComprehension':
      return 'arraycomprehension'
    case 'setComprehension':
      return 'setcomprehension'
    case 'objectComprehension':
      return 'objectcomprehension'
    case 'template':
      return 'template string'
    default:
      return term.kind
  }
}

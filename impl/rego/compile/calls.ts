import type { Builtin } from '../builtins/builtin.ts'
import { RegoError, type RegoErrorCode } from '../errors.ts'
import type { Body, Call, Literal, Ref, Term, With } from '../syntax/ast.ts'
import type { Span } from '../syntax/source.ts'
import type { Dialect } from './dialect.ts'
import type { DocNode, DocTree } from './documents.ts'
import { constantPath, isDataRef } from './references.ts'
import { pathText } from './resolved.ts'
import { literalTerms, walkBody, walkTerm } from './visit.ts'

export type Functions = {
  readonly tree: DocTree
  readonly builtins: ReadonlyMap<string, Builtin>
  readonly dialect: Dialect
}

/** The node that a reference identifies exactly, if any. */
export function nodeAt(tree: DocTree, ref: Ref): DocNode | undefined {
  const path = constantPath(ref.path)
  if (path.length < ref.path.length) return undefined
  let node: DocNode | undefined = tree.root
  for (const key of path) node = node?.children.get(key)
  return node
}

export const functionArity = (node: DocNode): number | undefined =>
  node.kind === 'function' ? (node.rules[0] ?? node.default)?.args?.length : undefined

/** The arity of a function; undefined if there is none of that name. */
export function arityOf(functions: Functions, operator: Term): number | undefined {
  if (operator.kind === 'var') {
    const builtin = functions.builtins.get(operator.name)
    return builtin?.variadic === undefined ? builtin?.args.length : Number.POSITIVE_INFINITY
  }
  if (!isDataRef(operator)) return undefined
  const node = nodeAt(functions.tree, operator)
  return node === undefined ? undefined : functionArity(node)
}

function fail(code: RegoErrorCode, message: string, span: Span): never {
  throw new RegoError(code, message, { location: span.location })
}

/**
 * Checks that every called function exists and gets the right number of arguments, and that every
 * target of `with` can be replaced.
 *
 * @throws RegoError `rego_type_error`, `rego_compile_error`
 */
export function checkCalls(
  functions: Functions,
  terms: readonly Term[],
  bodies: readonly Body[],
): void {
  const checks = new CallChecks(functions)
  for (const body of bodies) checks.body(body)
  for (const term of terms) checks.term(term)
}

/**
 * Refuses calls of deprecated built-ins: after every other fault, as in OPA.
 *
 * @throws RegoError `rego_type_error`
 */
export function checkDeprecated(
  { builtins }: Pick<Functions, 'builtins'>,
  terms: readonly Term[],
  bodies: readonly Body[],
): void {
  const visit = (term: Term): boolean => {
    if (term.kind === 'call' && term.operator.kind === 'var') {
      const { name } = term.operator
      const message = `deprecated built-in function calls in expression: ${name}`
      if (builtins.get(name)?.deprecated) fail('rego_type_error', message, term.span)
    }
    return true
  }
  for (const body of bodies) walkBody(body, visit)
  for (const term of terms) walkTerm(term, visit)
}

class CallChecks {
  private readonly functions: Functions

  constructor(functions: Functions) {
    this.functions = functions
  }

  body(body: Body): void {
    for (const literal of body) this.literal(literal)
  }

  term(term: Term): void {
    walkTerm(term, (part) => {
      if (part.kind === 'call') {
        this.call(part, 0)
        const isPrint = part.operator.kind === 'var' && part.operator.name === 'print'
        if (isPrint && this.functions.dialect === 'opa-1.2') {
          fail('rego_type_error', `${part.span.text} used as value`, part.span)
        }
      }
      if ('body' in part) {
        this.body(part.body)
        if ('key' in part) this.term(part.key)
        this.term('head' in part ? part.head : part.value)
        return false
      }
      if (part.kind === 'template') {
        for (const each of part.parts) {
          if (typeof each === 'string') continue
          for (const term of literalTerms(each)) this.term(term)
          for (const one of each.withs) this.with(one)
        }
        return false
      }
      return true
    })
  }

  private literal(literal: Literal): void {
    for (const term of literalTerms(literal)) {
      if (literal.kind === 'term' && term.kind === 'call') {
        this.call(term, 1)
        for (const arg of term.args) this.term(arg)
      } else {
        this.term(term)
      }
    }
    if (literal.kind === 'every') this.body(literal.body)
    for (const each of literal.withs) this.with(each)
  }

  /** @param outputs number of allowed output arguments: one for a literal */
  private call(call: Call, outputs: number): void {
    const { operator, args, span } = call
    if (operator.kind === 'var') {
      const builtin = this.functions.builtins.get(operator.name)
      if (builtin === undefined) {
        fail('rego_type_error', `undefined function ${operator.name}`, span)
        return
      }
      if (outputs === 0 || args.length !== 2) this.checkStatement(builtin, call)
      const arity = builtin.args.length
      const tooMany = builtin.variadic === undefined && args.length > arity + outputs
      if (tooMany || args.length < arity) {
        fail('rego_type_error', `${operator.name}: arity mismatch`, span)
      }
      return
    }
    const path = pathText(constantPath(operator.path))
    const arity = arityOf(this.functions, operator)
    if (arity === undefined) {
      fail('rego_type_error', `undefined function ${path}`, span)
    } else if (args.length < arity || args.length > arity + outputs) {
      const message = `function ${path} has arity ${arity}, got ${args.length} arguments`
      fail('rego_type_error', message, span)
    }
  }

  /** `eq` and `assign` are statements. */
  private checkStatement({ name }: Builtin, { infix, span }: Call): void {
    if (infix === undefined && name === 'eq') {
      fail('rego_unsafe_var_error', 'expression is unsafe: eq cannot be used as a value', span)
    }
    if (infix === undefined && name === 'assign') {
      fail('rego_compile_error', 'assign cannot be used as a value', span)
    }
  }

  private with(each: With): void {
    const { target, value } = each
    this.term(value)
    const arity = arityOf(this.functions, target)
    if (target.kind === 'var' && target.name.startsWith('internal.')) {
      const message = `replacement of internal function "${target.name}" invalid`
      fail('rego_compile_error', `with keyword replacing built-in function: ${message}`, each.span)
    }
    if (this.isRelation(target)) {
      const message = 'target must not be a relation'
      fail('rego_compile_error', `with keyword replacing built-in function: ${message}`, each.span)
    }
    if (arity !== undefined && this.isRelation(value)) {
      // OPA iterates over its results; here any call could then have several.
      const message = `the relation ${value.span.text} cannot replace a function`
      fail('rego_compile_error', `with keyword replacing function: ${message}`, each.span)
    }
    if (target.kind === 'ref') this.withPath(target)
    const isFunction = value.kind === 'var' && arityOf(this.functions, value) !== undefined
    if (arity === undefined && isFunction) {
      const [name = ''] = value.name.split('.')
      fail('rego_unsafe_var_error', `var ${name} is unsafe`, value.span)
    }
    if (arity === undefined) return
    const replacement = arityOf(this.functions, value)
    if (replacement !== undefined && replacement !== arity) {
      const name = target.kind === 'var' ? target.name : target.span.text
      fail('rego_type_error', `${name}: arity mismatch`, each.span)
    }
  }

  private isRelation(term: Term): boolean {
    return term.kind === 'var' && this.functions.builtins.get(term.name)?.relation === true
  }

  private withPath(target: Ref): void {
    const path = constantPath(target.path)
    if (path.length < target.path.length) {
      fail('rego_type_error', 'with keyword target must be ground', target.span)
    }
    if (!isDataRef(target)) return
    let node: DocNode | undefined = this.functions.tree.root
    path.forEach((key, i) => {
      node = node?.children.get(key)
      if (node?.kind !== undefined && i < path.length - 1) {
        const message = 'with keyword cannot partially replace virtual document(s)'
        fail('rego_compile_error', message, target.span)
      }
    })
  }
}

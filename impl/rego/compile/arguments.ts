import type { RegoErrorCode } from '../errors.ts'
import {
  type Call,
  isWildcard,
  type Literal,
  type Term,
  type Var,
  variable,
} from '../syntax/ast.ts'
import type { Span } from '../syntax/source.ts'
import type { Dialect } from './dialect.ts'
import { directNames } from './scope.ts'

type Fail = (message: string, span: Span, code?: RegoErrorCode) => never

/**
 * Checks the pattern of an argument. OPA accepts neither calls, nor references to the root documents
 * except in keys of objects; the engine at 0.9 accepts both but for operators.
 */
export function checkArgument(term: Term, dialect: Dialect, fail: Fail): void {
  switch (term.kind) {
    case 'array':
    case 'set':
      for (const item of term.items) checkArgument(item, dialect, fail)
      break
    case 'object':
      for (const [, value] of term.entries) checkArgument(value, dialect, fail)
      break
    case 'call':
      if (dialect === 'opa-1.2' || term.infix !== undefined) {
        fail('rule arguments cannot contain calls', term.span)
      }
      break
    case 'ref': {
      const name = term.head.kind === 'var' ? term.head.name : ''
      if (dialect === 'opa-1.2' && (name === 'input' || name === 'data')) {
        fail(`var ${name} is unsafe`, term.span, 'rego_unsafe_var_error')
      }
      break
    }
    default:
  }
}

/** The variables in the pattern of an argument. */
export const argumentNames = (term: Term): ReadonlySet<string> =>
  directNames([{ kind: 'term', term, negated: false, withs: [], span: term.span }])

/** `#arg1 = [a, b]` for each argument that is a pattern or a repeated variable. */
export function equations(
  written: readonly Term[] | undefined,
  args: readonly Var[] | undefined,
): Literal[] {
  const literals: Literal[] = []
  const seen = new Set<string>()
  written?.forEach((term, i) => {
    if (term.kind === 'var') {
      if (isWildcard(term.name) || !seen.has(term.name)) {
        seen.add(term.name)
        return
      }
    }
    const { span } = term
    const operator = variable('eq', span)
    const call: Call = { kind: 'call', operator, args: [args?.[i] as Var, term], infix: '=', span }
    literals.push({ kind: 'term', term: call, negated: false, withs: [], span })
  })
  return literals
}

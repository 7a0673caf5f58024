import { isComprehension, literalTerms, walkTerm } from 'polgate-rego/compile/visit.ts'
import {
  type Body,
  isWildcard,
  type Literal,
  type Module,
  type Ref,
  type Rule,
  type Term,
  type Var,
} from 'polgate-rego/syntax/ast.ts'
import { parseModule } from 'polgate-rego/syntax/parser.ts'
import { Source } from 'polgate-rego/syntax/source.ts'
import type { DiffProgram } from './answers.ts'

/** Kinds of syntax that a program may have. Operators and calls are counted by name instead. */
export const NODE_KINDS = [
  'package',
  'import',
  'import alias',
  'comment',
  'metadata',
  'rule: complete',
  'rule: set',
  'rule: reference',
  'rule: function',
  'rule: default',
  'rule: default function',
  'rule: else',
  'rule: bodiless',
  'argument pattern',
  'literal: term',
  'literal: some',
  'literal: some in',
  'literal: some key in',
  'literal: every',
  'literal: every key',
  'negated',
  'with',
  'null',
  'boolean',
  'number',
  'string',
  'var',
  'wildcard',
  'reference',
  'array',
  'set',
  'object',
  'call',
  'array comprehension',
  'set comprehension',
  'object comprehension',
] as const

export type NodeKind = (typeof NODE_KINDS)[number]

/** The kinds of syntax and the functions that a program uses. */
export type Features = {
  readonly kinds: ReadonlySet<NodeKind>
  readonly calls: ReadonlySet<string>
  /** `f/2`: f is called with two arguments. */
  readonly arities: ReadonlySet<string>
  /** The number of rules. */
  readonly rules: number
}

/** A module that cannot be parsed has no features but its calls. */
export function featuresOf({ modules }: DiffProgram): Features {
  const features = new Collected()
  for (const { name, source } of modules) {
    const module = parsed(name, source)
    if (module !== undefined) features.module(module)
    else for (const [, call] of source.matchAll(/([a-z_][\w.]*)\(/g)) features.calls.add(call!)
  }
  return features
}

class Collected implements Features {
  readonly kinds = new Set<NodeKind>(['package'])
  readonly calls = new Set<string>()
  readonly arities = new Set<string>()
  rules = 0

  module({ imports, comments, annotations, rules }: Module): void {
    for (const { alias } of imports) this.kinds.add(alias === undefined ? 'import' : 'import alias')
    if (comments.length > 0) this.kinds.add('comment')
    if (annotations.length > 0) this.kinds.add('metadata')
    for (const rule of rules) this.rule(rule)
  }

  private rule(rule: Rule): void {
    this.rules++
    for (const kind of ruleKinds(rule)) this.kinds.add(kind)
    const { head, body, elses } = rule
    for (const each of [head.member, head.value, ...(head.args ?? []), ...head.ref.path]) {
      if (each !== undefined) this.term(each)
    }
    this.body(body)
    for (const each of elses) {
      this.term(each.value)
      this.body(each.body)
    }
  }

  private body(literals: Body): void {
    for (const literal of literals) {
      if (literal.negated) this.kinds.add('negated')
      this.kinds.add(literalKind(literal))
      for (const term of literalTerms(literal)) this.term(term)
      if (literal.kind === 'every') this.body(literal.body)
      for (const { target, value } of literal.withs) {
        this.kinds.add('with')
        this.calls.add(`with ${target.span.text}`)
        this.term(value)
      }
    }
  }

  private term(term: Term): void {
    walkTerm(term, (one) => {
      this.kinds.add(kindOf(one))
      if (one.kind === 'call') {
        const name = nameOf(one.operator)
        this.calls.add(name)
        this.arities.add(`${name}/${one.args.length}`)
        // Operators may be called by name, too.
        if (one.infix === undefined) this.calls.add(`${name}()`)
      }
      if (!isComprehension(one)) return true
      this.body(one.body)
      for (const part of one.kind === 'objectComprehension' ? [one.key, one.value] : [one.head]) {
        this.term(part)
      }
      return false
    })
  }
}

function literalKind(literal: Literal): NodeKind {
  switch (literal.kind) {
    case 'every':
      return literal.key === undefined ? 'literal: every' : 'literal: every key'
    case 'someIn':
      return literal.key === undefined ? 'literal: some in' : 'literal: some key in'
    case 'some':
      return 'literal: some'
    case 'term':
      return 'literal: term'
  }
}

const nameOf = (operator: Var | Ref): string =>
  operator.kind === 'var'
    ? operator.name
    : [operator.head, ...operator.path]
        .map((part) =>
          part.kind === 'var' ? part.name : part.kind === 'scalar' ? String(part.value) : '',
        )
        .join('.')

function ruleKinds({ head, body, elses, isDefault }: Rule): NodeKind[] {
  const kinds: NodeKind[] = []
  if (isDefault) kinds.push(head.args === undefined ? 'rule: default' : 'rule: default function')
  else if (head.args !== undefined) kinds.push('rule: function')
  else if (head.member !== undefined) kinds.push('rule: set')
  else kinds.push(head.ref.path.length > 0 ? 'rule: reference' : 'rule: complete')
  if (elses.length > 0) kinds.push('rule: else')
  if (body.length === 0 && !isDefault) kinds.push('rule: bodiless')
  if (!isDefault && head.args?.some(({ kind }) => kind !== 'var')) kinds.push('argument pattern')
  return kinds
}

function kindOf(term: Term): NodeKind {
  switch (term.kind) {
    case 'scalar':
      return term.value === null
        ? 'null'
        : typeof term.value === 'bigint'
          ? 'number'
          : (typeof term.value as NodeKind)
    case 'var':
      return isWildcard(term.name) ? 'wildcard' : 'var'
    case 'ref':
      return 'reference'
    case 'arrayComprehension':
      return 'array comprehension'
    case 'setComprehension':
      return 'set comprehension'
    case 'objectComprehension':
      return 'object comprehension'
    case 'template':
      return 'string'
    default:
      return term.kind
  }
}

function parsed(name: string, source: string): Module | undefined {
  try {
    return parseModule(new Source(name, source))
  } catch {
    return undefined
  }
}

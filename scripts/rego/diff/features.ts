import { walkTerm } from 'polgate-rego/compile/visit.ts'
import {
  type Body,
  isWildcard,
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
}

/** A module that cannot be parsed has no features but its calls. */
export function featuresOf(program: DiffProgram): Features {
  const kinds = new Set<NodeKind>(['package'])
  const calls = new Set<string>()
  const term = (each: Term): void =>
    walkTerm(each, (one) => {
      kinds.add(kindOf(one))
      if (one.kind === 'call') {
        const name = nameOf(one.operator)
        calls.add(name)
        // Operators may be called by name, too.
        if (one.infix === undefined) calls.add(`${name}()`)
      }
      if ('body' in one) body(one.body)
      return !('body' in one) || bodyHead(one)
    })
  const bodyHead = (one: Term): boolean => {
    if (one.kind === 'objectComprehension') [one.key, one.value].forEach(term)
    else if (one.kind === 'arrayComprehension' || one.kind === 'setComprehension') term(one.head)
    return false
  }
  const body = (literals: Body): void => {
    for (const literal of literals) {
      if (literal.negated) kinds.add('negated')
      if (literal.withs.length > 0) kinds.add('with')
      if (literal.kind === 'every') {
        kinds.add(literal.key === undefined ? 'literal: every' : 'literal: every key')
        term(literal.domain)
        body(literal.body)
      } else if (literal.kind === 'someIn') {
        kinds.add(literal.key === undefined ? 'literal: some in' : 'literal: some key in')
        if (literal.key !== undefined) term(literal.key)
        term(literal.value)
        term(literal.domain)
      } else if (literal.kind === 'some') kinds.add('literal: some')
      else {
        kinds.add('literal: term')
        term(literal.term)
      }
      for (const each of literal.withs) {
        term(each.value)
        calls.add(`with ${each.target.span.text}`)
      }
    }
  }
  for (const { name, source } of program.modules) {
    const module = parsed(name, source)
    if (module === undefined) {
      for (const [, call] of source.matchAll(/([a-z_][\w.]*)\(/g)) calls.add(call!)
      continue
    }
    for (const each of module.imports) {
      kinds.add(each.alias === undefined ? 'import' : 'import alias')
    }
    if (module.comments.length > 0) kinds.add('comment')
    if (module.annotations.length > 0) kinds.add('metadata')
    for (const rule of module.rules) {
      for (const kind of ruleKinds(rule)) kinds.add(kind)
      const { head, elses } = rule
      for (const each of [head.member, head.value, ...(head.args ?? []), ...head.ref.path]) {
        if (each !== undefined) term(each)
      }
      body(rule.body)
      for (const each of elses) {
        term(each.value)
        body(each.body)
      }
    }
  }
  return { kinds, calls }
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

import { toBase64 } from '#platform'
import { typeName, type Value } from '../values/value.ts'
import type { Body, ElseBranch, Head, Literal, Module, Ref, Rule, Term } from './ast.ts'

/** Plain data that can become a value or JSON. */
export type Json = { readonly [key: string]: unknown }

const node = (type: string, value: unknown): Json => ({ type, value })

/** The syntax tree of a module in the format of OPA and `rego.parse_module`. */
export const moduleJson = (module: Module): Json => ({
  package: { path: refParts(module.package.path) },
  ...(module.imports.length === 0
    ? {}
    : {
        imports: module.imports.map(({ path, alias }) => ({
          path: node('ref', refParts(path)),
          ...(alias === undefined ? {} : { alias }),
        })),
      }),
  ...(module.rules.length === 0 ? {} : { rules: module.rules.map(ruleJson) }),
  ...(module.comments.length === 0
    ? {}
    : {
        comments: module.comments.map(({ text, span }) => {
          const { row, col } = span.location
          return { Text: toBase64(new TextEncoder().encode(text)), Location: { row, col } }
        }),
      }),
})

const ruleJson = (rule: Rule): Json => ({
  ...(rule.isDefault ? { default: true } : {}),
  head: headJson(rule.head),
  body: bodyJson(rule.body),
  ...elseJson(rule.head, rule.elses),
})

const headJson = ({ ref, args, member, value, assign }: Head): Json => ({
  ...(assign === ':=' ? { assign: true } : {}),
  ...(ref.path.length === 0 && ref.head.kind === 'var' ? { name: ref.head.name } : {}),
  ...(args === undefined ? {} : { args: args.map(termJson) }),
  ...(member === undefined ? {} : { key: termJson(member) }),
  ...(value === undefined ? {} : { value: termJson(value) }),
  ref: refParts(ref),
})

function elseJson(head: Head, elses: readonly ElseBranch[]): Json {
  const [first, ...rest] = elses
  if (first === undefined) return {}
  const inner = { ...head, value: first.value, assign: first.assign }
  return {
    else: { head: headJson(inner), body: bodyJson(first.body), ...elseJson(head, rest) },
  }
}

export const bodyJson = (body: Body): Json[] =>
  body.length === 0
    ? [{ index: 0, terms: node('boolean', true) }]
    : body.map((literal, index) => ({
        index,
        ...(literal.negated ? { negated: true } : {}),
        terms: literalJson(literal),
        ...(literal.withs.length === 0
          ? {}
          : {
              with: literal.withs.map(({ target, value }) => ({
                target: termJson(target),
                value: termJson(value),
              })),
            }),
      }))

function literalJson(literal: Literal): unknown {
  switch (literal.kind) {
    case 'term':
      return literal.term.kind === 'call' ? callParts(literal.term) : termJson(literal.term)
    case 'some':
      return { symbols: literal.vars.map(termJson) }
    case 'someIn': {
      const { key, value, domain } = literal
      const name = key === undefined ? 'member_2' : 'member_3'
      const args = key === undefined ? [value, domain] : [key, value, domain]
      return { symbols: [node('call', [operator(`internal.${name}`), ...args.map(termJson)])] }
    }
    case 'every':
      return {
        key: literal.key === undefined ? null : termJson(literal.key),
        value: termJson(literal.value),
        domain: termJson(literal.domain),
        body: bodyJson(literal.body),
      }
  }
}

const operator = (name: string): Json =>
  node(
    'ref',
    name.split('.').map((part, i) => node(i === 0 ? 'var' : 'string', part)),
  )

const callParts = (call: Term & { kind: 'call' }): Json[] => [
  call.operator.kind === 'var' ? operator(call.operator.name) : termJson(call.operator),
  ...call.args.map(termJson),
]

const refParts = (ref: Ref): Json[] => [termJson(ref.head), ...ref.path.map(termJson)]

export function termJson(term: Term): Json {
  switch (term.kind) {
    case 'scalar':
      return node(typeName(term.value), term.value satisfies Value)
    case 'var':
      return node('var', term.name)
    case 'ref':
      return node('ref', refParts(term))
    case 'array':
    case 'set':
      return node(term.kind, term.items.map(termJson))
    case 'object':
      return node(
        'object',
        term.entries.map(([key, value]) => [termJson(key), termJson(value)]),
      )
    case 'call':
      return node('call', callParts(term))
    case 'arrayComprehension':
    case 'setComprehension': {
      const type = term.kind === 'setComprehension' ? 'setcomprehension' : 'arraycomprehension'
      return node(type, { term: termJson(term.head), body: bodyJson(term.body) })
    }
    case 'objectComprehension':
      return node('objectcomprehension', {
        key: termJson(term.key),
        value: termJson(term.value),
        body: bodyJson(term.body),
      })
    case 'template':
      return node(
        'templatestring',
        term.parts.map((part) =>
          typeof part === 'string' ? node('string', part) : bodyJson([part])[0],
        ),
      )
  }
}

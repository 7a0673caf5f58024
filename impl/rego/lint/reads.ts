import type { DocTree } from '../compile/documents.ts'
import type { ResolvedRule } from '../compile/resolved.ts'
import type { Literal, Ref, Term } from '../syntax/ast.ts'
import type { Span } from '../syntax/source.ts'
import { nodeOf } from './defined.ts'
import { eachLiteral, eachTerm } from './literals.ts'

/** A reference below `data`, after its aliases are replaced. */
export type Read = {
  /** The constant part of its path; everything below it may be read. */
  readonly path: readonly string[]
  readonly span: Span
  /** Whether it is an argument of a call, which may read any part of it. */
  readonly isArgument: boolean
}

/** Chains of aliases that are followed; none of them can be a circle. */
const MAX_ALIASES = 20

/** The references to documents in rules. Targets of `with` are replaced, not read. */
export function readsOf(tree: DocTree, rules: readonly ResolvedRule[]): readonly Read[] {
  return rules.flatMap((rule) => readsOfRule(tree, rule))
}

/**
 * The constant paths below `data` that rules look up with `object.get`, which has a default for what is not there:
 * `object.get(data.wasm, "x", {})`, also one inside of the other and with a path in a list.
 */
export function lookupsOf(
  tree: DocTree,
  rules: readonly ResolvedRule[],
): readonly (readonly string[])[] {
  return rules.flatMap((rule) => {
    const locals = new Map<string, Term>()
    eachLiteral(rule, (literal) => {
      const alias = localAlias(literal)
      if (alias !== undefined) locals.set(alias.name, alias.value)
    })
    const found: (readonly string[])[] = []
    eachTerm(rule, (term) => {
      const path = lookedUp(tree, locals, term)
      if (path !== undefined) found.push(path)
    })
    return found
  })
}

function lookedUp(
  tree: DocTree,
  locals: ReadonlyMap<string, Term>,
  term: Term,
): readonly string[] | undefined {
  if (term.kind !== 'call' || term.operator.span.text !== 'object.get') return undefined
  const [object, key] = term.args
  if (object === undefined || key === undefined) return undefined
  const above = object.kind === 'ref' ? expanded(tree, refsIn(locals), object) : undefined
  const local = object.kind === 'var' ? locals.get(object.name) : object
  const base =
    above ??
    (local?.kind === 'ref'
      ? expanded(tree, refsIn(locals), local)
      : local && lookedUp(tree, without(locals, object), local))
  const parts = key.kind === 'array' ? key.items : [key]
  if (base === undefined || !parts.every((part) => part.kind === 'scalar')) return undefined
  return [...base, ...parts.map((part) => String(part.value))]
}

/** Aliases cannot be circular; without the followed one that needs no proof. */
function without(locals: ReadonlyMap<string, Term>, term: Term): ReadonlyMap<string, Term> {
  if (term.kind !== 'var') return locals
  return new Map([...locals].filter(([name]) => name !== term.name))
}

const refsIn = (locals: ReadonlyMap<string, Term>): ReadonlyMap<string, Ref> =>
  new Map([...locals].flatMap(([name, term]) => (term.kind === 'ref' ? [[name, term]] : [])))

function readsOfRule(tree: DocTree, rule: ResolvedRule): readonly Read[] {
  const reads: Read[] = []
  const skipped = new Set<Term>()
  const args = new Set<Term>()
  const locals = new Map<string, Ref>()
  const own = aliasOf(rule)
  if (own !== undefined) skipped.add(own)
  eachLiteral(rule, (literal) => {
    for (const { target } of literal.withs) skipped.add(target)
    const alias = localAlias(literal)
    if (alias?.value.kind !== 'ref') return
    locals.set(alias.name, alias.value)
    skipped.add(alias.value).add(alias.variable)
  })
  eachTerm(rule, (term) => {
    if (term.kind === 'call') for (const arg of term.args) args.add(arg)
    if (term.kind === 'ref') skipped.add(term.head)
    if (skipped.has(term)) return
    const ref = term.kind === 'var' ? locals.get(term.name) : term
    if (ref?.kind !== 'ref') return
    const path = expanded(tree, locals, ref)
    if (path !== undefined) reads.push({ path, span: term.span, isArgument: args.has(term) })
  })
  return reads
}

/** `x := data.params`, after which `x.max` is `data.params.max`. */
function localAlias(
  literal: Literal,
): { readonly name: string; readonly variable: Term; readonly value: Term } | undefined {
  if (literal.kind !== 'term' || literal.negated || literal.term.kind !== 'call') return undefined
  const { infix, args } = literal.term
  const [variable, value] = args
  if (infix !== ':=' || variable?.kind !== 'var' || value === undefined) return undefined
  return { name: variable.name, variable, value }
}

/** The reference of a rule that only gives it another name: `params := data.params`. */
function aliasOf({ branches, args, rest, isDefault }: ResolvedRule): Ref | undefined {
  const [branch, ...others] = branches
  if (branch === undefined || others.length > 0 || args !== undefined || isDefault) return undefined
  if (rest.length > 0 || branch.body.length > 0) return undefined
  return branch.value?.kind === 'ref' ? branch.value : undefined
}

/** The path below `data` that a reference reads, or undefined if it reads something else. */
function expanded(
  tree: DocTree,
  locals: ReadonlyMap<string, Ref>,
  ref: Ref,
): readonly string[] | undefined {
  let current: Ref = ref
  for (let i = 0; i < MAX_ALIASES; i++) {
    const next = withoutAlias(tree, locals, current)
    if (next === undefined) break
    current = next
  }
  if (current.head.kind !== 'var' || current.head.name !== 'data') return undefined
  const path: string[] = []
  for (const part of current.path) {
    if (part.kind !== 'scalar') break
    path.push(String(part.value))
  }
  return path
}

function withoutAlias(
  tree: DocTree,
  locals: ReadonlyMap<string, Ref>,
  { head, path, span }: Ref,
): Ref | undefined {
  if (head.kind !== 'var') return undefined
  const local = locals.get(head.name)
  if (local !== undefined) return { ...local, path: [...local.path, ...path], span }
  for (let length = path.length; length > 0; length--) {
    const node = nodeOf(tree, { kind: 'ref', head, path: path.slice(0, length), span })
    const [rule, ...others] = node?.rules ?? []
    if (rule === undefined || others.length > 0 || node?.default !== undefined) continue
    const alias = aliasOf(rule)
    if (alias !== undefined) return { ...alias, path: [...alias.path, ...path.slice(length)], span }
  }
  return undefined
}

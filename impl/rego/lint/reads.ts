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
    if (alias === undefined) return
    locals.set(alias.name, alias.ref)
    skipped.add(alias.ref).add(alias.variable)
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
): { readonly name: string; readonly variable: Term; readonly ref: Ref } | undefined {
  if (literal.kind !== 'term' || literal.negated || literal.term.kind !== 'call') return undefined
  const { infix, args } = literal.term
  const [variable, ref] = args
  if (infix !== ':=' || variable?.kind !== 'var' || ref?.kind !== 'ref') return undefined
  return { name: variable.name, variable, ref }
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

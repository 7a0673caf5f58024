import { constantPath } from '../compile/references.ts'
import type { ResolvedRule } from '../compile/resolved.ts'
import type { Body, Term } from '../syntax/ast.ts'
import { isComposite, type Scalar, type Value } from '../values/value.ts'
import { bare } from '../values/writtenNumber.ts'
import type { Context } from './context.ts'
import { lookup } from './lookup.ts'

/**
 * Selects the rules of a node that can hold, by a value of the input or of an argument that many of
 * their bodies compare with a constant.
 */
export type RuleIndex<T> = (c: Context, args: readonly Value[] | undefined) => readonly T[]

/** The compared value: a path into `input`, or into an argument. */
type Subject = { readonly arg: number | undefined; readonly path: readonly Scalar[] }

type Comparison = { readonly subject: Subject; readonly values: readonly Scalar[] }

/** Fewer rules than this are tried sequentially. */
const WORTHWHILE = 4

/** @returns undefined if no subject discriminates enough rules */
export function ruleIndex<T extends { readonly rule: ResolvedRule }>(
  rules: readonly T[],
): RuleIndex<T> | undefined {
  if (rules.length < WORTHWHILE) return undefined
  const comparisons = rules.map(({ rule }) => comparisonsOf(rule))
  const subject = mostCompared(comparisons)
  if (subject === undefined) return undefined
  const key = keyOf(subject)
  const others: number[] = []
  const positions = new Map<Scalar, number[]>()
  comparisons.forEach((own, i) => {
    const found = own.find((each) => keyOf(each.subject) === key)
    if (found === undefined) {
      others.push(i)
      return
    }
    for (const value of found.values) {
      const same = positions.get(value)
      if (same === undefined) positions.set(value, [i])
      else if (same.at(-1) !== i) same.push(i)
    }
  })
  const pick = (indices: readonly number[]): T[] =>
    [...indices, ...others].sort((a, b) => a - b).map((i) => rules[i] as T)
  const always = pick([])
  const byValue = new Map([...positions].map(([value, indices]) => [value, pick(indices)]))
  const { arg, path } = subject
  return (c, args) => {
    let value: Value | undefined = arg === undefined ? c.input : args?.[arg]
    for (const part of path) {
      if (value === undefined) return always
      value = lookup(value, part)
    }
    if (value === undefined || isComposite(value)) return always
    return byValue.get(bare(value)) ?? always
  }
}

const keyOf = ({ arg, path }: Subject): string => JSON.stringify([arg ?? null, ...path.map(String)])

function mostCompared(comparisons: readonly (readonly Comparison[])[]): Subject | undefined {
  const counts = new Map<string, { count: number; subject: Subject; values: Set<Scalar> }>()
  for (const own of comparisons) {
    for (const { subject, values } of own) {
      const key = keyOf(subject)
      const entry = counts.get(key) ?? { count: 0, subject, values: new Set() }
      entry.count++
      for (const value of values) entry.values.add(value)
      counts.set(key, entry)
    }
  }
  let best: { score: number; subject: Subject } | undefined
  for (const { count, subject, values } of counts.values()) {
    // Average number of skipped rules, if all values are equally likely.
    const score = count - count / values.size
    if (score > 0 && score > (best?.score ?? 0)) best = { score, subject }
  }
  return best !== undefined && best.score >= WORTHWHILE / 2 ? best.subject : undefined
}

/** The comparisons with constants that a rule requires. */
function comparisonsOf(rule: ResolvedRule): Comparison[] {
  const [branch, ...elses] = rule.branches
  if (branch === undefined || elses.length > 0) return []
  const args = new Map(rule.args?.map((arg, i) => [arg.name, i]) ?? [])
  const names = aliases(branch.body)
  const comparisons: Comparison[] = []
  for (const literal of branch.body) {
    if (literal.kind !== 'term' || literal.negated || literal.withs.length > 0) continue
    const { term } = literal
    if (term.kind !== 'call' || term.infix === undefined) continue
    const [a, b] = term.args as readonly [Term, Term]
    if (term.infix === 'in' && term.args.length === 2) {
      const subject = subjectOf(a, args, names)
      const values = members(b)
      if (subject !== undefined && values !== undefined) comparisons.push({ subject, values })
    } else if (term.infix === '==' || term.infix === '=' || term.infix === ':=') {
      const subject = subjectOf(a, args, names) ?? subjectOf(b, args, names)
      const value = constant(b) ?? constant(a)
      if (subject !== undefined && value !== undefined) {
        comparisons.push({ subject, values: [value.value] })
      }
    }
  }
  return comparisons
}

const constant = (term: Term): { readonly value: Scalar } | undefined =>
  term.kind === 'scalar' ? { value: bare(term.value) as Scalar } : undefined

function members(term: Term): Scalar[] | undefined {
  if (term.kind !== 'set' && term.kind !== 'array') return undefined
  const values = term.items.map(constant)
  return values.every((each) => each !== undefined) ? values.map(({ value }) => value) : undefined
}

/** Variables that are aliases of other terms: `req := input.request`. */
function aliases(body: Body): ReadonlyMap<string, Term> {
  const names = new Map<string, Term>()
  for (const literal of body) {
    if (literal.kind !== 'term' || literal.negated || literal.withs.length > 0) continue
    const { term } = literal
    if (term.kind !== 'call' || term.infix !== ':=') continue
    const [left, right] = term.args as readonly [Term, Term]
    if (left.kind === 'var') names.set(left.name, right)
  }
  return names
}

function subjectOf(
  term: Term,
  args: ReadonlyMap<string, number>,
  names: ReadonlyMap<string, Term>,
  depth = 0,
): Subject | undefined {
  const [head, path] = term.kind === 'ref' ? [term.head, term.path] : [term, []]
  if (head.kind !== 'var') return undefined
  const keys = constantPath(path)
  if (keys.length < path.length) return undefined
  if (head.name === 'input') return { arg: undefined, path: keys }
  const arg = args.get(head.name)
  if (arg !== undefined) return { arg, path: keys }
  const alias = names.get(head.name)
  if (alias === undefined || depth > 8) return undefined
  const base = subjectOf(alias, args, names, depth + 1)
  return base === undefined ? undefined : { arg: base.arg, path: [...base.path, ...keys] }
}

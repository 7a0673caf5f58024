import { isArray, isComposite, isObject, type Scalar, type Value } from '../values/value.ts'
import { bare } from '../values/writtenNumber.ts'
import { lookup } from './lookup.ts'
import { type Block, type Expr, isConstantKey, type Pattern, type Step } from './plan.ts'

/**
 * A loop over a collection followed by a comparison of its members with a known value: `some b in
 * xs; b.user == input.user`. It is replaced by a probe, which looks members up in an index if there
 * is one, and compares them otherwise.
 */
export function withProbes(block: Block): Block {
  const steps: Step[] = []
  for (let i = 0; i < block.length; i++) {
    const step = block[i] as Step
    const probe = step.op === 'scan' ? probeOf(step, block, i) : undefined
    if (probe === undefined) {
      steps.push(step)
      continue
    }
    steps.push(probe.step)
    i += probe.extra
  }
  return steps
}

type Scan = Step & { readonly op: 'scan' }

/** @returns the probe and the number of steps that it replaces */
function probeOf(
  scan: Scan,
  block: Block,
  at: number,
): { readonly step: Step; readonly extra: number } | undefined {
  if (scan.value.kind !== 'bind' || scan.key.kind === 'array' || scan.key.kind === 'object') {
    return undefined
  }
  if (scan.key.kind === 'equal') return undefined
  const member = scan.value.slot
  const own = new Set([member, ...(scan.key.kind === 'bind' ? [scan.key.slot] : [])])
  const let_ = block[at + 1]
  const hasLet = let_?.op === 'let' && memberPath(let_.expr, member) !== undefined
  const test = block[at + (hasLet ? 2 : 1)]
  const sides = test === undefined ? undefined : comparison(test)
  if (sides === undefined) return undefined
  for (const [own_, other] of [sides, [sides[1], sides[0]]] as const) {
    let path = memberPath(own_, member)
    let alias: number | undefined
    if (hasLet && own_.op === 'slot' && own_.slot === let_.slot) {
      path = memberPath(let_.expr, member)
      alias = let_.slot
    }
    if (path === undefined || (hasLet && alias === undefined)) continue
    if (alias !== undefined) own.add(alias)
    if (!isKnown(other, own)) continue
    const { over, key, literal } = scan
    return {
      step: { op: 'probe', over, key, member, path, alias, equals: other, literal },
      extra: hasLet ? 2 : 1,
    }
  }
  return undefined
}

/** The two sides of a step that only compares. */
function comparison(step: Step): readonly [Expr, Expr] | undefined {
  if (step.op === 'match' && step.pattern.kind === 'equal') return [step.pattern.expr, step.expr]
  if (step.op !== 'test' || step.expr.op !== 'call' || step.expr.builtin.name !== 'equal') {
    return undefined
  }
  const [a, b] = step.expr.args
  return a === undefined || b === undefined ? undefined : [a, b]
}

/** The constant keys from the member to this expression. */
function memberPath(expr: Expr, member: number): readonly Scalar[] | undefined {
  if (expr.op === 'slot') return expr.slot === member ? [] : undefined
  if (expr.op !== 'lookup' || expr.base.op !== 'slot' || expr.base.slot !== member) return undefined
  return expr.path.every(isConstantKey) ? expr.path.map((part) => part.value) : undefined
}

/** Whether an expression cannot fail and does not depend on the loop. */
function isKnown(expr: Expr, own: ReadonlySet<number>): boolean {
  switch (expr.op) {
    case 'const':
    case 'input':
      return true
    case 'slot':
      return !own.has(expr.slot)
    case 'lookup':
      return isKnown(expr.base, own) && expr.path.every((part) => isKnown(part, own))
    case 'base':
      return expr.path.every((part) => isKnown(part, own))
    default:
      return false
  }
}

/** Positions of members by their value at a path, in the order of the collection. */
type Positions = ReadonlyMap<Scalar, readonly number[]>

type Usage = { scans: number; readonly indexes: Map<string, Positions> }

/** Indexes by collection; valid because collections are immutable, and collected with them. */
const usages = new WeakMap<object, Usage>()

/** Smaller collections are scanned faster. */
const SMALL = 16

/** The keys or members of a collection in order, to which positions of an index refer. */
export function elementsOf(collection: Value): readonly Value[] {
  if (!isComposite(collection)) return []
  if (isArray(collection)) return collection
  return isObject(collection) ? collection.keys() : collection.values()
}

/**
 * The index of a collection by the value at a path; undefined the first time, because many
 * collections are searched only once.
 */
export function indexFor(
  collection: Value,
  path: readonly Scalar[],
  pathKey: string,
): Positions | undefined {
  if (!isComposite(collection)) return undefined
  const elements = elementsOf(collection)
  if (elements.length < SMALL) return undefined
  let usage = usages.get(collection)
  if (usage === undefined) {
    usage = { scans: 0, indexes: new Map() }
    usages.set(collection, usage)
  }
  const known = usage.indexes.get(pathKey)
  if (known !== undefined) return known
  if (usage.scans++ === 0) return undefined
  const positions = new Map<Scalar, number[]>()
  elements.forEach((element, i) => {
    const member = isObject(collection) ? (collection.get(element) as Value) : element
    const value = followed(member, path)
    if (value === undefined || isComposite(value)) return
    const key = bare(value)
    const same = positions.get(key)
    if (same === undefined) positions.set(key, [i])
    else same.push(i)
  })
  usage.indexes.set(pathKey, positions)
  return positions
}

export function followed(value: Value, path: readonly Scalar[]): Value | undefined {
  let found: Value | undefined = value
  for (const key of path) {
    if (found === undefined) return undefined
    found = lookup(found, key)
  }
  return found
}

export type Probe = Step & { readonly op: 'probe' }

export const isBinding = (pattern: Pattern): pattern is Pattern & { kind: 'bind' } =>
  pattern.kind === 'bind'

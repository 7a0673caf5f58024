import type { BranchPlan } from './plan.ts'

/**
 * Maximum stack usage of an evaluation in bytes, of the 984 kB that a thread has at least. A stack
 * overflow cannot be relied on: V8 ends the process if it occurs while compiling a regular
 * expression. The rest is for built-ins and deep values.
 */
export const STACK = 650_000

/** Measured: a rule that calls another takes about 1,000 bytes, a step of a body up to 250. */
const RULE = 1_000
const STEP = 250
const NESTED = 100

/** Stack usage of a rule in bytes, without the rules it calls. */
export function weightOf(branches: readonly BranchPlan[]): number {
  let weight = 0
  for (const { block, value, member, rest } of branches) {
    const steps = STEP * block.length
    weight = Math.max(weight, steps + NESTED * nesting([block, value, member, rest]))
  }
  return RULE + weight
}

/** Members of a plan that are not parts of it. */
const OTHER: ReadonlySet<string> = new Set(['literal', 'span', 'node', 'builtin', 'hides'])

/**
 * Nesting depth of a plan; the steps of a nested block add up, as each is called by the previous
 * one.
 */
function nesting(part: unknown): number {
  if (typeof part !== 'object' || part === null) return 0
  if (Array.isArray(part)) {
    let deepest = 0
    for (const each of part) deepest = Math.max(deepest, nesting(each))
    return deepest
  }
  if ('op' in part && part.op === 'const') return 0
  let deepest = 0
  // Not `Object.entries`: every rule passes here before its first evaluation.
  for (const name in part) {
    if (OTHER.has(name)) continue
    const member = (part as Readonly<Record<string, unknown>>)[name]
    if (typeof member !== 'object' || member === null) continue
    const steps = name === 'block' && Array.isArray(member) ? member.length : 0
    deepest = Math.max(deepest, steps + nesting(member))
  }
  return deepest + 1
}

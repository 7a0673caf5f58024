import { RegoError } from '../errors.ts'
import type { DocNode } from './documents.ts'
import type { Reads } from './references.ts'
import { type ResolvedRule, ruleText } from './resolved.ts'

/**
 * No rule may depend on itself through values, functions, comprehensions, `with`, or references
 * with unknown keys.
 *
 * @returns the nodes in topological order
 * @throws RegoError `rego_recursion_error` with the cycle
 */
export function checkRecursion(
  nodes: readonly DocNode[],
  reads: ReadonlyMap<ResolvedRule, Reads>,
): DocNode[] {
  const done = new Set<DocNode>()
  const sorted: DocNode[] = []
  for (const start of nodes) {
    if (done.has(start) || rulesOf(start).length === 0) continue
    // An explicit stack: chains of rules may be longer than the JavaScript stack is deep.
    const path: { node: DocNode; rule: ResolvedRule; rest: DocNode[] }[] = []
    const active = new Map<DocNode, number>()
    const enter = (node: DocNode): void => {
      const rules = rulesOf(node)
      const first = rules[0]
      if (first === undefined || done.has(node)) return
      const targets = new Set<DocNode>()
      for (const rule of rules) for (const to of reads.get(rule)?.nodes ?? []) targets.add(to)
      active.set(node, path.length)
      path.push({ node, rule: first, rest: [...targets] })
    }
    enter(start)
    while (path.length > 0) {
      const top = path.at(-1) as (typeof path)[number]
      const next = top.rest.pop()
      if (next === undefined) {
        path.pop()
        active.delete(top.node)
        done.add(top.node)
        sorted.push(top.node)
        continue
      }
      const from = active.get(next)
      if (from !== undefined) {
        const circle = path.slice(from).map(({ rule }) => ruleText(rule))
        const [name = ''] = circle
        const message = `rule ${name} is recursive: ${[...circle, name].join(' -> ')}`
        const { rule } = path[from] as (typeof path)[number]
        throw new RegoError('rego_recursion_error', message, { location: rule.span.location })
      }
      enter(next)
    }
  }
  return sorted
}

const rulesOf = (node: DocNode): ResolvedRule[] =>
  node.default === undefined ? node.rules : [...node.rules, node.default]

import { type DocNode, descendants } from '../compile/documents.ts'
import type { Program } from '../compile/program.ts'
import type { Scalar } from '../values/value.ts'
import type { WithTarget } from './plan.ts'
import { functionKey } from './planner.ts'

/** Adds a node and its descendants to a set. */
export function below(node: DocNode, into: Set<DocNode>): void {
  descendants(node, (each) => {
    into.add(each)
  })
}

/** The nodes whose values may change when these targets of `with` are replaced. */
export function affectedBy(
  { sorted, reads }: Program,
  targets: readonly WithTarget[],
): ReadonlySet<DocNode> {
  const affected = new Set<DocNode>()
  for (const node of sorted) {
    const rules = node.default === undefined ? node.rules : [...node.rules, node.default]
    const hit = rules.some((rule) => {
      const read = reads.get(rule)
      if (read === undefined) return true
      for (const other of read.nodes) if (affected.has(other)) return true
      return targets.some((target) => {
        if (target.kind === 'input') return read.input
        if (target.kind === 'data') return read.data.some((path) => overlaps(path, target.path))
        if (read.calls.has(target.name)) return true
        for (const other of read.nodes) if (functionKey(other) === target.name) return true
        return false
      })
    })
    if (hit) affected.add(node)
  }
  return affected
}

function overlaps(a: readonly Scalar[], b: readonly Scalar[]): boolean {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return false
  return true
}

import { type DocNode, descendants } from '../compile/documents.ts'
import type { Program } from '../compile/program.ts'
import { pathText } from '../compile/resolved.ts'
import type { Scalar } from '../values/value.ts'
import type { WithTarget } from './plan.ts'
import { functionKey } from './planner.ts'

/** Adds a node and its descendants to a set. */
export function below(node: DocNode, into: Set<DocNode>): void {
  descendants(node, (each) => {
    into.add(each)
  })
}

/** Of a program, by the targets: thousands of tests replace `input`, and each set has most of the rules. */
const known = new WeakMap<Program, Map<string, ReadonlySet<DocNode>>>()

/** The nodes whose values may change when these targets of `with` are replaced. */
export function affectedBy(program: Program, targets: readonly WithTarget[]): ReadonlySet<DocNode> {
  const key = [...new Set(targets.map(keyOf))].sort().join('\n')
  const sets = known.get(program) ?? new Map<string, ReadonlySet<DocNode>>()
  known.set(program, sets)
  const found = sets.get(key) ?? affectedNow(program, targets)
  sets.set(key, found)
  return found
}

function keyOf(target: WithTarget): string {
  switch (target.kind) {
    case 'input':
      return 'input'
    case 'data':
      return pathText(target.path)
    case 'function':
      return `call ${target.name}`
  }
}

function affectedNow(
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

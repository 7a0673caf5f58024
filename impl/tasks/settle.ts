import type { Bytes32 } from '../protocol/scalars.ts'
import {
  formatTree,
  type NumberLeaf,
  numbersOf,
  parseTree,
  shapeOf,
  type Tree,
  withNumbers,
} from './numberLeaves.ts'

/** What one operator's oracles gave: JSON text by source. */
export type OperatorData = { readonly id: Bytes32; readonly outputs: readonly string[] }

/** How much of every quorum a set of operators holds (decision T7). */
export type StakeRule = {
  readonly reached: (operators: readonly Bytes32[]) => boolean
  readonly weight: (operators: readonly Bytes32[]) => bigint
}

export type Settlement = {
  /** One JSON text by source, null when no set of operators that agrees holds the quorum. */
  readonly outputs: readonly string[] | null
  readonly conforming: readonly Bytes32[]
  /** Operators whose data is not the settled one, with the reason for `operator_errors`. */
  readonly deviating: readonly { readonly id: Bytes32; readonly reason: string }[]
}

/** A number this far from the median, in parts of it, is another observation (decision T8). */
const tolerance = 0.1

/**
 * Makes one data set of what the operators saw (decision T8). Operators whose data is equal but for
 * numbers form a group; the numbers of the group with the most stake become their medians; those
 * within a tenth of every median conform. The conforming ones must hold the quorum.
 */
export function settle(answers: readonly OperatorData[], stake: StakeRule): Settlement {
  const groups = groupByShape(answers)
    .map((members) => ({ members, weight: stake.weight(members.map(idOf)) }))
    .sort((a, b) => (a.weight === b.weight ? 0 : a.weight > b.weight ? -1 : 1))
  const best = groups[0]?.members
  if (best === undefined) return { outputs: null, conforming: [], deviating: [] }

  const medians = best[0]!.numbers.map((_, at) => median(best.map(({ numbers }) => numbers[at]!)))
  const near = best.filter(({ numbers }) => numbers.every((leaf, at) => close(leaf, medians[at]!)))
  const conforming = near.map(idOf)
  const agreed = conforming.length > 0 && stake.reached(conforming)
  const shape = new Set(best.map(idOf))
  const deviating = answers
    .filter(({ id }) => !conforming.includes(id))
    .map(({ id }) => ({
      id,
      reason: shape.has(id)
        ? 'policy data deviates from the median by more than 10 %'
        : 'policy data differs from what the quorum saw',
    }))
  return { outputs: agreed ? settled(best[0]!, medians) : null, conforming, deviating }
}

type Parsed = OperatorData & { readonly trees: readonly Tree[]; readonly numbers: NumberLeaf[] }

const idOf = ({ id }: { readonly id: Bytes32 }) => id

function groupByShape(answers: readonly OperatorData[]): Parsed[][] {
  const groups = new Map<string, Parsed[]>()
  for (const answer of answers) {
    const trees = answer.outputs.map(parseTree)
    const shape = trees.map(shapeOf).join('\n')
    const parsed = { ...answer, trees, numbers: trees.flatMap(numbersOf) }
    groups.set(shape, [...(groups.get(shape) ?? []), parsed])
  }
  return [...groups.values()]
}

/** The lower of two middle values: a number that an operator saw, so an integer stays one. */
function median(leaves: readonly NumberLeaf[]): NumberLeaf {
  const sorted = [...leaves].sort((a, b) => Number(a.text) - Number(b.text))
  return sorted[(sorted.length - 1) >> 1]!
}

function close(leaf: NumberLeaf, middle: NumberLeaf): boolean {
  if (leaf.text === middle.text) return true
  const reference = Number(middle.text)
  return Math.abs(Number(leaf.text) - reference) <= Math.abs(reference) * tolerance
}

function settled(first: Parsed, medians: readonly NumberLeaf[]): string[] {
  const replaced = new Map(first.numbers.map((leaf, at) => [leaf, medians[at]!]))
  return first.trees.map((tree) => formatTree(withNumbers(tree, replaced)))
}

import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { inOneGo } from '../attestation/inTurns.ts'
import {
  formatTree,
  type NumberLeaf,
  numbersOf,
  parseTree,
  shapeOf,
  type Tree,
  withNumbers,
} from './numberLeaves.ts'
import { isNear, stakeMedian } from './stakeMedian.ts'

/** What one operator's oracles gave: JSON text by source. */
export type OperatorData = { readonly id: Bytes32; readonly outputs: readonly string[] }

/** How much of every quorum a set of operators holds (decision T7). */
export type StakeRule = {
  readonly reached: (operators: readonly Bytes32[]) => boolean
  readonly weight: (operators: readonly Bytes32[]) => bigint
}

export type Deviation = 'deviates' | 'differs'

export type Settlement = {
  /** One JSON text by source, null when no set of operators that agrees holds the quorum. */
  readonly outputs: readonly string[] | null
  readonly conforming: readonly Bytes32[]
  /**
   * Operators whose data is not the settled one: a number of it deviates from the median, or it
   * differs elsewhere.
   */
  readonly deviating: readonly { readonly id: Bytes32; readonly how: Deviation }[]
}

/**
 * Makes one data set of what the operators saw (decision T8). Operators whose data is equal but for
 * numbers form a group; its numbers become their medians by stake; those within a tenth of every
 * median conform, and must hold the quorum. Groups are tried from the one with the most stake down.
 *
 * Medians are by stake, as everything that decides is: by heads, many operators with little at
 * stake could move them. As long as dishonest operators hold less than half of the threshold, the
 * rest of those who conform hold more than they do, so every settled number lies between two that
 * honest operators saw.
 */
export const settle = (answers: readonly OperatorData[], stake: StakeRule): Settlement =>
  inOneGo(settling(answers, stake))

/**
 * The same step by step: whoever writes an oracle decides how many numbers there are, and with many
 * operators that is seconds of work.
 */
export function* settling(
  answers: readonly OperatorData[],
  stake: StakeRule,
): Generator<undefined, Settlement> {
  const weights = new Map(answers.map(({ id }) => [id, stake.weight([id])]))
  let first: Outcome | undefined
  for (const group of yield* groupByShape(answers, weights)) {
    const outcome = yield* settleGroup(group, stake)
    first ??= outcome
    if (outcome.agreed) return yield* settlementOf(answers, outcome)
  }
  return first === undefined
    ? { outputs: null, conforming: [], deviating: [] }
    : yield* settlementOf(answers, first)
}

/** Equal data, whoever saw it. */
type Seen = {
  readonly outputs: readonly string[]
  readonly ids: readonly Bytes32[]
  readonly weight: bigint
  readonly trees: readonly Tree[]
  readonly numbers: readonly NumberLeaf[]
}

type Outcome = {
  readonly agreed: boolean
  readonly members: readonly Seen[]
  readonly near: readonly Seen[]
  readonly medians: readonly NumberLeaf[]
}

function* groupByShape(
  answers: readonly OperatorData[],
  weights: ReadonlyMap<Bytes32, bigint>,
): Generator<undefined, Seen[][]> {
  const texts = new Map<string, OperatorData[]>()
  for (const answer of answers) push(texts, answer.outputs.join('\n'), answer)
  const groups = new Map<string, Seen[]>()
  for (const equal of texts.values()) {
    const { outputs } = equal[0]!
    const trees = outputs.map(parseTree)
    const ids = equal.map(({ id }) => id)
    const numbers = trees.flatMap(numbersOf)
    const weight = sum(ids.map((id) => weights.get(id) ?? 0n))
    push(groups, trees.map(shapeOf).join('\n'), { outputs, ids, weight, trees, numbers })
    yield
  }
  return [...groups.values()]
    .map((members) => ({ members, weight: sum(members.map(({ weight }) => weight)) }))
    .sort(byWeight)
    .map(({ members }) => members)
}

/** Numbers looked at in one step: some milliseconds. */
const stepNumbers = 4_096

function* settleGroup(members: readonly Seen[], stake: StakeRule): Generator<undefined, Outcome> {
  const medians: NumberLeaf[] = []
  const medianPerStep = Math.ceil(stepNumbers / members.length)
  for (let at = 0; at < members[0]!.numbers.length; at += 1) {
    const leaves = members.map(({ numbers, weight }) => ({ leaf: numbers[at]!, weight }))
    medians.push(stakeMedian(leaves))
    if (at % medianPerStep === 0) yield
  }
  const near: Seen[] = []
  for (const member of members) {
    if (member.numbers.every((leaf, at) => isNear(leaf, medians[at]!))) near.push(member)
    yield
  }
  return { agreed: near.length > 0 && stake.reached(idsOf(near)), members, near, medians }
}

function* settlementOf(
  answers: readonly OperatorData[],
  outcome: Outcome,
): Generator<undefined, Settlement> {
  const conforming = new Set(idsOf(outcome.near))
  const shape = new Set(idsOf(outcome.members))
  return {
    outputs: outcome.agreed ? yield* settled(outcome) : null,
    conforming: answers.map(({ id }) => id).filter((id) => conforming.has(id)),
    deviating: answers
      .filter(({ id }) => !conforming.has(id))
      .map(({ id }) => ({ id, how: shape.has(id) ? 'deviates' : 'differs' })),
  }
}

/** The medians in the order of members that most stake has: no single operator chooses a byte. */
function* settled({ near, medians }: Outcome): Generator<undefined, string[]> {
  const written = new Map<string, { weight: bigint; outputs: string[] }>()
  for (const { numbers, trees, weight } of near) {
    const replaced = new Map(numbers.map((leaf, at) => [leaf, medians[at]!]))
    const outputs = trees.map((tree) => formatTree(withNumbers(tree, replaced)))
    const key = outputs.join('\n')
    written.set(key, { outputs, weight: weight + (written.get(key)?.weight ?? 0n) })
    yield
  }
  return [...written.values()].sort(byWeight)[0]!.outputs
}

const idsOf = (seen: readonly Seen[]): Bytes32[] => seen.flatMap(({ ids }) => ids)
const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)
/** Most first; equal ones stay in their order. */
const byWeight = (a: { readonly weight: bigint }, b: { readonly weight: bigint }) =>
  a.weight === b.weight ? 0 : a.weight > b.weight ? -1 : 1

function push<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const known = lists.get(key)
  if (known === undefined) lists.set(key, [item])
  else known.push(item)
}

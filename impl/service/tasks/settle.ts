import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { runSync } from '../attestation/yielding.ts'
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

/** The oracle outputs of one operator: JSON text by source. */
export type OperatorData = { readonly id: Bytes32; readonly outputs: readonly string[] }

/** The share of a set of operators in every quorum (decision T7). */
export type StakeRule = {
  readonly reached: (operators: readonly Bytes32[]) => boolean
  readonly weight: (operators: readonly Bytes32[]) => bigint
}

export type Deviation = 'deviates' | 'differs'

export type Settlement = {
  /** One JSON text by source; null if no agreeing set of operators holds the quorum. */
  readonly outputs: readonly string[] | null
  readonly conforming: readonly Bytes32[]
  /**
   * Operators whose data differs from the settled data: `deviates` in a number, `differs` in
   * anything else.
   */
  readonly deviating: readonly { readonly id: Bytes32; readonly how: Deviation }[]
}

/**
 * Settles the observations of operators to one data set (decision T8). Operators whose data is
 * equal except for numbers form a group; its numbers become their medians, weighted by stake.
 * Operators within a tenth of every median conform, and must hold the quorum. Groups are tried by
 * stake, in descending order.
 *
 * Medians are weighted by stake because many operators with little stake could move unweighted
 * ones. As long as dishonest operators hold less than half of the threshold, the other conforming
 * operators hold more than they do, so every settled number lies between two honest observations.
 */
export const settle = (answers: readonly OperatorData[], stake: StakeRule): Settlement =>
  runSync(settling(answers, stake))

/**
 * The same in steps: the oracle determines how many numbers there are, which with many operators
 * can be seconds of work.
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

/** Equal data, with the operators that observed it. */
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

/** Numbers processed in one step: a few milliseconds. */
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

/** The medians in the member order with the most stake: no single operator determines any byte. */
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
/** Descending; stable for equal weights. */
const byWeight = (a: { readonly weight: bigint }, b: { readonly weight: bigint }) =>
  a.weight === b.weight ? 0 : a.weight > b.weight ? -1 : 1

function push<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const known = lists.get(key)
  if (known === undefined) lists.set(key, [item])
  else known.push(item)
}

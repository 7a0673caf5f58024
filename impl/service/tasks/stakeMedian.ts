import { compareDecimals, parseDecimal, withinTenth } from './decimal.ts'
import type { NumberLeaf } from './numberLeaves.ts'

export type WeightedLeaf = { readonly leaf: NumberLeaf; readonly weight: bigint }

/**
 * The lower weighted median: the least number with half of the stake at or below it. It is a number
 * that an operator reported, so an integer stays one. Of equal numbers in different notations, the
 * notation with the most stake is used.
 */
export function stakeMedian(leaves: readonly WeightedLeaf[]): NumberLeaf {
  const written = new Map<string, { leaf: NumberLeaf; weight: bigint }>()
  for (const { leaf, weight } of leaves) {
    written.set(leaf.text, { leaf, weight: weight + (written.get(leaf.text)?.weight ?? 0n) })
  }
  if (written.size === 1) return leaves[0]!.leaf
  const sorted = [...written.values()]
    .map((each) => ({ ...each, value: parseDecimal(each.leaf.text) }))
    .sort((a, b) => compareDecimals(a.value, b.value) || heavierFirst(a, b))
  const half = sorted.reduce((total, { weight }) => total + weight, 0n)
  let below = 0n
  const middle = sorted.find(({ weight }) => {
    below += weight
    return below * 2n >= half
  })!
  return sorted.find(({ value }) => compareDecimals(value, middle.value) === 0)!.leaf
}

/** A number more than a tenth from the median deviates (decision T8). */
export const isNear = (leaf: NumberLeaf, median: NumberLeaf): boolean =>
  leaf.text === median.text || withinTenth(parseDecimal(leaf.text), parseDecimal(median.text))

const heavierFirst = (
  a: { leaf: NumberLeaf; weight: bigint },
  b: { leaf: NumberLeaf; weight: bigint },
): number =>
  a.weight === b.weight ? (a.leaf.text < b.leaf.text ? -1 : 1) : a.weight > b.weight ? -1 : 1

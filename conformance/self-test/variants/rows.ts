import { derivedSeed } from 'polgate-conformance/core/seed.ts'
import type { Variant } from './variant.ts'

/**
 * Sets of variants such that for every two of them, both, either and neither is in a set. `seed`
 * determines the sets. Sets are drawn at random, and the one that covers most of what is left is
 * taken.
 */
export function pairwise(ids: readonly string[], random: () => number): readonly string[][] {
  const size = ids.length
  // 1 for a pair in a set already, at an index for each choice: every draw looks up thousands of pairs.
  const covered = new Uint8Array(4 * size * size)
  let left = 2 * size * (size - 1)
  const rows: string[][] = []
  while (left > 0) {
    let best: readonly boolean[] = []
    let most = -1
    for (let tries = 0; tries < 40; tries += 1) {
      const row = ids.map(() => random() < 0.5)
      const covers = newPairs(row, covered).length
      if (covers > most) [best, most] = [row, covers]
    }
    for (const pair of newPairs(best, covered)) covered[pair] = 1
    left -= most
    if (most > 0) rows.push(ids.filter((_, at) => best[at]))
  }
  return rows
}

/** The indexes of the pairs of a set that are in none before it. */
function newPairs(row: readonly boolean[], covered: Uint8Array): readonly number[] {
  const pairs: number[] = []
  for (let a = 0; a < row.length; a += 1)
    for (let b = a + 1; b < row.length; b += 1) {
      const pair = 4 * (a * row.length + b) + (row[a] ? 2 : 0) + (row[b] ? 1 : 0)
      if (covered[pair] === 0) pairs.push(pair)
    }
  return pairs
}

/**
 * The sets to run: each variant alone, every two of them together, and all at once. The slow ones
 * first: they mostly wait, and the others run beside them.
 */
export function rowsOf(
  variants: readonly Variant[],
  modes: { readonly singly: boolean; readonly pairwise: boolean; readonly all: boolean },
  random: () => number = randomOf(plannedSeed),
): readonly (readonly string[])[] {
  const idsOf = (all: readonly Variant[]) => all.map(({ id }) => id)
  const quick = idsOf(variants.filter(({ slow, alone }) => !slow && !alone))
  const slow = idsOf(variants.filter((variant) => variant.slow))
  const alone = idsOf(variants.filter((variant) => variant.alone && !variant.slow))
  return [
    ...(modes.singly ? slow.map((id) => [id]) : []),
    ...(modes.all && quick.length > 1 ? [quick] : []),
    ...(modes.pairwise && quick.length > 2
      ? pairwise(quick, random).filter((row) => row.length > 1)
      : []),
    ...(modes.singly ? [...quick, ...alone].map((id) => [id]) : []),
  ]
}

/** What is saved has the same sets in every run, so that later results replace earlier ones. */
const plannedSeed = '0x00000001'

/** Numbers from 0 to 1, the same for the same seed. */
export function randomOf(seed: string): () => number {
  let drawn = 0
  return () => {
    drawn += 1
    return (derivedSeed(seed, 'rows', String(drawn)) >>> 0) / 2 ** 32
  }
}

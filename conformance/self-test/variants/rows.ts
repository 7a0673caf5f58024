import { derivedSeed } from 'polgate-conformance/core/seed.ts'
import type { Variant } from './variant.ts'

/**
 * Sets of variants such that for every two of them, both, either and neither is in a set. `random`
 * determines the sets. Of several sets that are put together choice by choice, the one that covers most of
 * what is left is taken.
 *
 * @param kept sets that count already, so that a new variant adds a few sets and changes none
 */
export function pairwise(
  ids: readonly string[],
  random: () => number,
  kept: readonly (readonly string[])[] = [],
): readonly (readonly string[])[] {
  const size = ids.length
  // 1 for a pair in a set already, at an index for each choice: every draw looks up thousands of pairs.
  const covered = new Uint8Array(4 * size * size)
  let left = 2 * size * (size - 1)
  const cover = (row: readonly boolean[]) => {
    const pairs = newPairs(row, covered)
    for (const pair of pairs) covered[pair] = 1
    left -= pairs.length
  }
  const rows: (readonly string[])[] = kept.filter((row) => row.every((id) => ids.includes(id)))
  for (const row of rows) cover(ids.map((id) => row.includes(id)))
  while (left > 0) {
    const drawn = Array.from({ length: 10 }, () => drawRow(size, covered, random))
    const counts = drawn.map((row) => newPairs(row, covered).length)
    const best = drawn[counts.indexOf(Math.max(...counts))]!
    cover(best)
    rows.push(ids.filter((_, at) => best[at]))
  }
  return rows
}

/** Puts a set together: each variant is in it if that covers more pairs with those that are decided. */
function drawRow(size: number, covered: Uint8Array, random: () => number): readonly boolean[] {
  const order = Array.from({ length: size }, (_, at) => ({ at, rank: random() }))
  const row: boolean[] = Array.from({ length: size }, () => false)
  const decided: number[] = []
  for (const { at } of order.toSorted((a, b) => a.rank - b.rank)) {
    const gains = [0, 0]
    for (const other of decided) {
      const [a, b] = other < at ? [other, at] : [at, other]
      for (const isIn of [0, 1]) {
        const first = a === at ? isIn : Number(row[a])
        const second = b === at ? isIn : Number(row[b])
        if (covered[4 * (a * size + b) + 2 * first + second] === 0) gains[isIn]! += 1
      }
    }
    row[at] = gains[0] === gains[1] ? random() < 0.5 : gains[1]! > gains[0]!
    decided.push(at)
  }
  return row
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
 *
 * @param kept sets with a saved result, which stay in the plan
 */
export function rowsOf(
  variants: readonly Variant[],
  modes: { readonly singly: boolean; readonly pairwise: boolean; readonly all: boolean },
  random: () => number = randomOf(plannedSeed),
  kept: readonly (readonly string[])[] = [],
): readonly (readonly string[])[] {
  const idsOf = (all: readonly Variant[]) => all.map(({ id }) => id)
  const quick = idsOf(variants.filter(({ slow, alone }) => !slow && !alone))
  const slow = idsOf(variants.filter((variant) => variant.slow))
  const alone = idsOf(variants.filter((variant) => variant.alone && !variant.slow))
  return [
    ...(modes.singly ? slow.map((id) => [id]) : []),
    ...(modes.all && quick.length > 1 ? [quick] : []),
    ...(modes.pairwise && quick.length > 2
      ? pairwise(quick, random, setsOf(kept, quick)).filter((row) => row.length > 1)
      : []),
    ...(modes.singly ? [...quick, ...alone].map((id) => [id]) : []),
  ]
}

/** Earlier sets, which have about half of the variants: neither single ones nor all that there were. */
const setsOf = (rows: readonly (readonly string[])[], quick: readonly string[]) =>
  rows.filter(({ length }) => length > 1 && length < 0.75 * quick.length)

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

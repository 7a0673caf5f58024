/** A list of values, one of each dimension. */
type Row = readonly string[]

const pairsOf = (row: Row): readonly string[] =>
  row.flatMap((left, i) =>
    row.slice(i + 1).map((right, j) => JSON.stringify([i, left, i + 1 + j, right])),
  )

/**
 * Some of the rows, such that every two values that occur together in a row of all of them do so in one
 * that is kept. Greedy: takes the row with the most new pairs, the first of equal ones. The result
 * depends on nothing but the rows and their order.
 */
export function pairwise<T>(all: readonly T[], rowOf: (each: T) => Row): readonly T[] {
  const open = all.map((each, index) => ({ each, index, pairs: pairsOf(rowOf(each)) }))
  const missing = new Set(open.flatMap(({ pairs }) => pairs))
  const kept: { readonly each: T; readonly index: number }[] = []
  // From the highest possible count down, so that every row is counted few times.
  for (let most = Math.max(0, ...open.map(({ pairs }) => pairs.length)); most > 0; most--)
    for (const row of open) {
      if (row.pairs.filter((pair) => missing.has(pair)).length < most) continue
      for (const pair of row.pairs) missing.delete(pair)
      kept.push(row)
    }
  return kept.sort((a, b) => a.index - b.index).map(({ each }) => each)
}

/** Longer names are not compared: the cost is quadratic. */
const MAX_LENGTH = 128

/** The candidate most similar to a misspelt name; undefined if none is similar. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  // One or two letters are similar to any name.
  if (name.length < 3 || name.length > MAX_LENGTH) return undefined
  const limit = Math.max(1, Math.floor(name.length / 3))
  let best: string | undefined
  let least = limit + 1
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - name.length) >= least) continue
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), least)
    const better =
      distance < least || (distance === least && best !== undefined && candidate < best)
    if (better && distance <= limit) {
      best = candidate
      least = distance
    }
  }
  return best
}

/** Edit distance with insertions, deletions, replacements and transpositions. */
export function editDistance(a: string, b: string, limit = Number.POSITIVE_INFINITY): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(
        (row[j] as number) + 1,
        (next[j - 1] as number) + 1,
        (row[j - 1] as number) + (same ? 0 : 1),
      )
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) cost = Math.min(cost, (before[j - 2] as number) + 1)
      next.push(cost)
    }
    if (Math.min(...next) > limit) return limit + 1
    before = row
    row = next
  }
  return row[b.length] as number
}

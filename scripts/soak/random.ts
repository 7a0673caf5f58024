/** A seeded generator (mulberry32): the same seed gives the same faults and requests. */
export type Random = {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number
  /** An integer from `least` to `most`, inclusive. */
  between(least: number, most: number): number
  pick<T>(items: readonly T[]): T
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (items) => items[Math.floor(next() * items.length)]!,
  }
}

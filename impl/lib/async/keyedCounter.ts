export type KeyedCounter = {
  get(key: string): number
  /** Counts one more; the function that is returned takes it back, once. */
  add(key: string): () => void
  /** Keys that count more than nothing. */
  entries(): Iterable<readonly [key: string, count: number]>
}

/** Counts what is under way for each key, and forgets keys for which nothing is. */
export function createKeyedCounter(): KeyedCounter {
  const counts = new Map<string, number>()
  return {
    get: (key) => counts.get(key) ?? 0,
    add(key) {
      counts.set(key, (counts.get(key) ?? 0) + 1)
      let counted = true
      return () => {
        if (!counted) return
        counted = false
        const left = counts.get(key)! - 1
        if (left === 0) counts.delete(key)
        else counts.set(key, left)
      }
    },
    entries: () => counts.entries(),
  }
}

import type { UpdateLimits } from './limits.ts'

/** Bytes that wait to be read by the connections of each key. */
export type BufferedBytes = {
  /** Whether more wait than may for the key; or for all keys, and for this one no less than the average. */
  isFull(key: string): boolean
  /** Counts bytes; the function that is returned takes them back, once. */
  add(key: string, bytes: number): () => void
}

export function createBufferedBytes({
  bufferedBytesPerKey,
  bufferedBytesInTotal,
}: Pick<UpdateLimits, 'bufferedBytesPerKey' | 'bufferedBytesInTotal'>): BufferedBytes {
  const sums = new Map<string, number>()
  let total = 0
  const change = (key: string, by: number) => {
    const sum = (sums.get(key) ?? 0) + by
    total += by
    if (sum === 0) sums.delete(key)
    else sums.set(key, sum)
  }
  return {
    isFull(key) {
      const own = sums.get(key) ?? 0
      return own > bufferedBytesPerKey || (total > bufferedBytesInTotal && own >= total / sums.size)
    },
    add(key, bytes) {
      let counted = true
      change(key, bytes)
      return () => {
        if (counted) change(key, -bytes)
        counted = false
      }
    },
  }
}

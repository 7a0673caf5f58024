/**
 * Runs `work` on every item with bounded concurrency; returns the results in the order of the
 * items.
 */
export const inOrder = async <T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T, place: number) => Promise<R>,
): Promise<R[]> => {
  const results = new Array<R>(items.length)
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const at = next++
      results[at] = await work(items[at] as T, at)
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker))
  return results
}

/**
 * Writes one after another what comes one by one: whatever arrives while a write is under way goes
 * with the next, so that many ends at a time cost few transactions.
 *
 * @returns a function that resolves when its item has been written, and rejects when that failed
 */
export function inBatches<T>(
  write: (items: readonly T[]) => Promise<void>,
): (item: T) => Promise<void> {
  let waiting: T[] = []
  let next: Promise<void> | undefined
  let current: Promise<unknown> = Promise.resolve()
  return (item) => {
    waiting.push(item)
    next ??= current.then(() => {
      const items = waiting
      waiting = []
      next = undefined
      const written = write(items)
      current = written.catch(() => {})
      return written
    })
    return next
  }
}

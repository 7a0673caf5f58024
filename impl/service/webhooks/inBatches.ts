/**
 * Batches writes: items that arrive while a write is in progress are written together next, so that
 * many concurrent outcomes need few transactions.
 *
 * @returns a function that resolves when its item has been written, and rejects if that failed
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

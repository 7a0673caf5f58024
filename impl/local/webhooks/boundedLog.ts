/** The latest entries, each with a number that counts all of them. */
export type BoundedLog<T> = {
  /** Of the latest entry; 0 before the first. */
  readonly latest: number
  add(entry: T): void
  /** In order. */
  after(seq: number): readonly (T & { readonly seq: number })[]
}

/** @param most entries that are kept; the oldest are dropped first */
export function createBoundedLog<T extends object>(most = 1_000): BoundedLog<T> {
  const entries: (T & { readonly seq: number })[] = []
  let latest = 0
  return {
    get latest() {
      return latest
    },
    add(entry) {
      latest += 1
      entries.push({ ...entry, seq: latest })
      if (entries.length > most) entries.splice(0, entries.length - most)
    },
    after: (seq) => entries.filter((entry) => entry.seq > seq),
  }
}

/** Syncs of the embedded database and the time that they took, as read by another thread. */
export type SyncTotals = { readonly syncs: number; readonly ms: number }

/** Counts in memory that threads share: reading it asks no thread. */
export class SyncCounters {
  readonly #totals: Float64Array

  constructor(memory: SharedArrayBuffer = SyncCounters.memory()) {
    this.#totals = new Float64Array(memory)
  }

  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT)
  }

  read(): SyncTotals {
    const [syncs = 0, ms = 0] = this.#totals
    return { syncs, ms }
  }

  timed(sync: () => void): void {
    const began = performance.now()
    sync()
    this.#count(began)
  }

  async timedLater(sync: () => Promise<void>): Promise<void> {
    const began = performance.now()
    await sync()
    this.#count(began)
  }

  #count(began: number): void {
    const [syncs = 0, ms = 0] = this.#totals
    this.#totals.set([syncs + 1, ms + performance.now() - began])
  }
}

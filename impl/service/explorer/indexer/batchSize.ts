/**
 * The number of blocks per request: reduced when a request was too large, later increased again.
 */
export type BatchSize = {
  readonly blocks: number
  /** A request for this many blocks was rejected as too large. */
  refused(blocks: number): void
  answered(blocks: number, logs: number): void
}

/** Number of successful requests after a rejection before the size grows again. */
const caution = 16

export function createBatchSize(limits: {
  readonly maxBlocks: number
  readonly maxLogs: number
}): BatchSize {
  let blocks = limits.maxBlocks
  let careful = 0
  return {
    get blocks() {
      return blocks
    },
    refused(asked) {
      blocks = Math.max(1, Math.min(blocks, Math.floor(asked / 2)))
      careful = caution
    },
    answered(asked, logs) {
      if (asked < blocks) return
      careful = Math.max(0, careful - 1)
      const full = logs * 4 > limits.maxLogs
      if (careful === 0 && !full) blocks = Math.min(limits.maxBlocks, blocks * 2)
    },
  }
}

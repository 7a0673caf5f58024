import { BaseError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem'
import type { BatchSize } from './batchSize.ts'
import { IndexerError } from './indexerError.ts'
import type { Batch } from './readBatch.ts'

type Range = { readonly from: number; readonly to: number }
type Reading = {
  readonly range: Range
  readonly outcome: Promise<{ readonly batch: Batch } | { readonly error: unknown }>
}

/**
 * Reads blocks in batches, in order, and reads ahead while the first batch is being stored. A range
 * that is too large for the node is split in two.
 *
 * @throws errors of `read`, unless a smaller range may succeed
 */
export async function* readAhead(options: {
  readonly read: (range: Range) => Promise<Batch>
  readonly from: number
  readonly to: number
  readonly size: BatchSize
  /** Number of parallel reads. */
  readonly parallel: number
}): AsyncGenerator<Batch, void, undefined> {
  const { read, to, size, parallel } = options
  const inFlight: Reading[] = []
  let start = options.from
  const begin = (range: Range): Reading => ({
    range,
    outcome: read(range).then(
      (batch) => ({ batch }),
      (error: unknown) => ({ error }),
    ),
  })
  for (;;) {
    while (start <= to && inFlight.length < parallel) {
      const range = { from: start, to: Math.min(to, start + size.blocks - 1) }
      inFlight.push(begin(range))
      start = range.to + 1
    }
    const first = inFlight.shift()
    if (first === undefined) return
    const outcome = await first.outcome
    const { range } = first
    const blocks = range.to - range.from + 1
    if ('batch' in outcome) {
      size.answered(blocks, outcome.batch.events.length)
      yield outcome.batch
    } else if (blocks > 1 && isTooMuch(outcome.error)) {
      size.refused(blocks)
      const middle = range.from + Math.ceil(blocks / 2) - 1
      inFlight.unshift(
        begin({ from: range.from, to: middle }),
        begin({ from: middle + 1, to: range.to }),
      )
    } else {
      throw outcome.error
    }
  }
}

/**
 * Whether a smaller range may succeed: the node rejected the request or timed out. There is no
 * common error for this. Status 429 is excluded: it means fewer requests, not smaller ones.
 */
function isTooMuch(error: unknown): boolean {
  if (error instanceof IndexerError) return error.code === 'too-much'
  if (!(error instanceof BaseError)) return false
  const cause = error.walk(
    (each) =>
      each instanceof RpcRequestError ||
      each instanceof TimeoutError ||
      each instanceof HttpRequestError ||
      (each as Error).name === 'ResponseBodyTooLargeError',
  )
  if (!(cause instanceof HttpRequestError)) return cause !== null
  return cause.status !== undefined && cause.status !== 429
}

/**
 * Why the explorer cannot follow a chain.
 *
 * - `wrong-chain`: the node is on another chain
 * - `disagreement`: responses of the node are inconsistent: the chain changed, or several nodes
 *   respond
 * - `too-much`: a range has more logs than the limit of a batch
 */
export type IndexerFailure = 'wrong-chain' | 'disagreement' | 'too-much'

const hints: Readonly<Record<IndexerFailure, string>> = {
  'wrong-chain': 'Compare chainId and rpcUrl of the network in the configuration.',
  disagreement:
    'It is retried. If it persists, check for nodes with different chains behind the rpcUrl.',
  'too-much': 'It is retried with a smaller range.',
}

/** Errors of the indexer. */
export class IndexerError extends Error {
  override readonly name = 'IndexerError'
  readonly failure: IndexerFailure
  readonly clause = 'decision X5'
  readonly hint: string

  constructor(failure: IndexerFailure, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.failure = failure
    this.hint = hints[failure]
  }
}

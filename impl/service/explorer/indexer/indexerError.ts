import { AppError, type AppErrorDetails } from 'polgate-lib/errors/appError.ts'

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

/** The family of errors of this room. */
export class IndexerError extends AppError<
  { code: IndexerFailure; hint: string } & AppErrorDetails
> {
  constructor(code: IndexerFailure, message: string, options?: { readonly cause?: unknown }) {
    super(message, { ...options, code, hint: hints[code], clause: 'decision X5' })
  }
}

import { AppError, type AppErrorDetails } from 'polgate-lib/errors/appError.ts'

/**
 * Why the explorer does not follow a chain.
 *
 * - `wrong-chain`: the node is one of another chain
 * - `disagreement`: what the node told does not fit together: it changed its mind, or several answer
 * - `too-much`: a range has more logs than are taken in at once
 */
export type IndexerFailure = 'wrong-chain' | 'disagreement' | 'too-much'

const hints: Readonly<Record<IndexerFailure, string>> = {
  'wrong-chain': 'Compare chainId and rpcUrl of the network in the configuration.',
  disagreement: 'It is asked again. Where this goes on, the nodes behind the address differ.',
  'too-much': 'A smaller range is asked for.',
}

/** The family of errors of this room. */
export class IndexerError extends AppError<
  { code: IndexerFailure; hint: string } & AppErrorDetails
> {
  constructor(code: IndexerFailure, message: string, options?: { readonly cause?: unknown }) {
    super(message, { ...options, code, hint: hints[code], clause: 'decision X5' })
  }
}

import { AppError } from 'polgate-lib/errors/appError.ts'
import type { CustomError } from './customErrors.ts'

export type ChainErrorDetails = {
  readonly code?: string
  readonly hint: string
  readonly clause?: string
  readonly cause?: unknown
}

/** Characters of a message: a contract may revert with as much as it likes. */
const longestMessage = 1_000

/** Any error of this package. */
export class ChainError extends AppError<ChainErrorDetails> {
  constructor(message: string, details: ChainErrorDetails) {
    const text =
      message.length > longestMessage ? `${message.slice(0, longestMessage)}...` : message
    super(text, details)
  }
}

/** Why a read failed: nothing stands at the address, the contract refused, or nobody answered. */
export type ChainReadFailure = 'no-contract' | 'reverted' | 'unreachable'

/** A read that failed; `message` is `Contract read failed: {details}` (section 7.3). */
export class ChainReadError extends ChainError {
  declare readonly code: ChainReadFailure
  /** The custom error that the contract reverted with, where it is one of ours. */
  readonly revert: CustomError | undefined

  constructor(
    code: ChainReadFailure,
    reason: string,
    details: ChainErrorDetails & { readonly revert?: CustomError | undefined },
  ) {
    super(`Contract read failed: ${reason}`, { clause: 'section 7.3', ...details, code })
    this.revert = details.revert
  }
}

/** Why a transaction failed; all but `reverted` and `refused` may pass. */
export type ChainWriteFailure =
  /** A contract refused it. */
  | 'reverted'
  | 'insufficient-funds'
  /** Its nonce is taken, or lies beyond one that nobody has sent. */
  | 'nonce'
  /** The node forgot it before it was mined. */
  | 'dropped'
  | 'underpriced'
  | 'not-mined'
  /** The node refused for load. */
  | 'busy'
  /** No connection, or no answer of JSON-RPC. */
  | 'unreachable'
  /** The node took the request and did not answer. */
  | 'timeout'
  /** The node refused it otherwise. */
  | 'refused'

/** A transaction that was refused, reverted or never mined. `errorName` is the contract's custom error. */
export class ChainWriteError extends ChainError {
  declare readonly code: ChainWriteFailure
  readonly errorName: string | undefined
  /** The message without its beginning. */
  readonly reason: string

  constructor(
    reason: string,
    errorName: string | undefined,
    details: ChainErrorDetails & { readonly code: ChainWriteFailure },
  ) {
    super(`Transaction failed: ${reason}`, details)
    this.errorName = errorName
    this.reason = reason
  }
}

/** Anvil did not start, or did not stop. */
export class AnvilError extends ChainError {}

import { AppError } from 'polgate-lib/errors/appError.ts'
import type { CustomError } from './customErrors.ts'

export type ChainErrorDetails = {
  readonly code?: string
  readonly hint: string
  readonly clause?: string
  readonly cause?: unknown
}

/** Maximum length of a message: a contract may revert with data of any size. */
const longestMessage = 1_000

/** Any error of this package. */
export class ChainError extends AppError<ChainErrorDetails> {
  constructor(message: string, details: ChainErrorDetails) {
    const text =
      message.length > longestMessage ? `${message.slice(0, longestMessage)}...` : message
    super(text, details)
  }
}

/** Why a read failed: there is no such contract, it reverted, or the node did not respond. */
export type ChainReadFailure = 'no-contract' | 'reverted' | 'unreachable'

/** A failed read; `message` is `Contract read failed: {details}` (section 7.3). */
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

/** Why a transaction failed; all but `reverted` and `refused` are transient. */
export type ChainWriteFailure =
  /** A contract reverted it. */
  | 'reverted'
  /** A contract accepted it in a simulation and not in the transaction, and used its gas. */
  | 'gas-burnt'
  | 'insufficient-funds'
  /** Its nonce is used, or follows a nonce that was never sent. */
  | 'nonce'
  /** The node dropped it before it was mined. */
  | 'dropped'
  | 'underpriced'
  | 'not-mined'
  /** The node is overloaded. */
  | 'busy'
  /** No connection, or no JSON-RPC response. */
  | 'unreachable'
  /** The node accepted the request and did not respond. */
  | 'timeout'
  /** The node refused it for another reason. */
  | 'refused'

/**
 * A transaction that was refused, reverted or not mined. `errorName` is the contract's custom
 * error.
 */
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

/** Anvil failed to start or to stop. */
export class AnvilError extends ChainError {}

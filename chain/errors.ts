import type { CustomError } from './customErrors.ts'

/** Details of every error of this package: what to do next, and which clause specifies it. */
export interface ChainErrorDetails {
  readonly hint: string
  readonly clause?: string
  readonly cause?: unknown
}

/** Maximum length of a message: a contract may revert with data of any size. */
const longestMessage = 1_000

/** Base class of the errors of this package. */
export class ChainError extends Error {
  readonly hint: string
  readonly clause: string | undefined

  constructor(message: string, details: ChainErrorDetails) {
    const text =
      message.length > longestMessage ? `${message.slice(0, longestMessage)}...` : message
    super(text, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = new.target.name
    this.hint = details.hint
    this.clause = details.clause
  }
}

/** Why a read failed: there is no such contract, it reverted, or the node did not respond. */
export type ChainReadFailure = 'no-contract' | 'reverted' | 'unreachable'

/** A failed read; `message` is `Contract read failed: {details}` (section 7.3). */
export class ChainReadError extends ChainError {
  readonly failure: ChainReadFailure
  /** The custom error of the revert, if declared by a contract of this repository. */
  readonly revert: CustomError | undefined

  constructor(
    failure: ChainReadFailure,
    reason: string,
    details: ChainErrorDetails & { readonly revert?: CustomError | undefined },
  ) {
    super(`Contract read failed: ${reason}`, { clause: 'section 7.3', ...details })
    this.failure = failure
    this.revert = details.revert
  }
}

/** Why a transaction failed; all but `reverted` and `refused` are transient. */
export type ChainWriteFailure =
  /** A contract reverted it. */
  | 'reverted'
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
  readonly errorName: string | undefined
  readonly failure: ChainWriteFailure
  /** The message without its prefix. */
  readonly reason: string

  constructor(
    reason: string,
    errorName: string | undefined,
    details: ChainErrorDetails & { readonly failure: ChainWriteFailure },
  ) {
    super(`Transaction failed: ${reason}`, details)
    this.errorName = errorName
    this.failure = details.failure
    this.reason = reason
  }
}

/** Anvil failed to start or to stop. */
export class AnvilError extends ChainError {}

import type { CustomError } from './customErrors.ts'

/** What every error of the chain room tells: what happened, what to do next, and which clause says so. */
export interface ChainErrorDetails {
  readonly hint: string
  readonly clause?: string
  readonly cause?: unknown
}

/** Characters of a message: a contract may revert with as much as it likes. */
const longestMessage = 1_000

/** The family of errors of this room. */
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

/** Why a read failed: nothing stands at the address, the contract refused, or nobody answered. */
export type ChainReadFailure = 'no-contract' | 'reverted' | 'unreachable'

/** A read that failed; `message` is `Contract read failed: {details}` (section 7.3). */
export class ChainReadError extends ChainError {
  readonly failure: ChainReadFailure
  /** The custom error that the contract reverted with, where it is one of ours. */
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
  readonly errorName: string | undefined
  readonly failure: ChainWriteFailure
  /** The message without its beginning. */
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

/** Anvil did not start, or did not stop. */
export class AnvilError extends ChainError {}

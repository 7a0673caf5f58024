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

/** A transaction that was refused, reverted or never mined. `errorName` is the contract's custom error. */
export class ChainWriteError extends ChainError {
  readonly errorName: string | undefined

  constructor(reason: string, errorName: string | undefined, details: ChainErrorDetails) {
    super(`Transaction failed: ${reason}`, details)
    this.errorName = errorName
  }
}

/** Anvil did not start, or did not stop. */
export class AnvilError extends ChainError {}

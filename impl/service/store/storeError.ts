export type StoreErrorReason =
  | 'in-use'
  | 'unavailable'
  | 'schema'
  | 'not-found'
  | 'invalid'
  | 'damaged'

/** An error of the store that requires action by the operator of the service or the caller. */
export class StoreError extends Error {
  readonly reason: StoreErrorReason
  readonly hint: string

  constructor(
    message: string,
    options: { reason: StoreErrorReason; hint: string; cause?: unknown },
  ) {
    super(message, { cause: options.cause })
    this.name = 'StoreError'
    this.reason = options.reason
    this.hint = options.hint
  }
}

import { BaseError, RpcRequestError } from 'viem'

const maxLength = 300

/** A one-line description of an error, without the address of a node, which may contain a key. */
export function problemOf(error: unknown): string {
  if (error instanceof BaseError) {
    const refusal = error.walk((each) => each instanceof RpcRequestError)
    const details = refusal instanceof RpcRequestError ? ` ${refusal.details}` : ''
    return `${error.shortMessage}${details}`.slice(0, maxLength)
  }
  return String(error instanceof Error ? error.message : error).slice(0, maxLength)
}

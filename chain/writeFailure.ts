import { BaseError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem'
import { decodeRevert, describeError, revertData } from './customErrors.ts'
import { ChainWriteError, type ChainWriteFailure } from './errors.ts'

const checkRpc = 'Check that the RPC address is right and the node is running.'

const hints: Readonly<Record<ChainWriteFailure, string>> = {
  reverted: 'The contract refused the call; its custom error says why.',
  'insufficient-funds': 'Send the account funds for gas; the transaction is then tried again.',
  nonce: 'Nonces are read again from the node for the next try.',
  dropped: 'Check the memory pool of the node; the transaction is sent again at the next try.',
  underpriced: 'Fees are estimated again for the next try.',
  'not-mined': 'Check that the chain makes blocks.',
  busy: 'The node refused for load; try again later.',
  unreachable: checkRpc,
  timeout: 'The node took the request and did not answer: check whether it hangs.',
  refused: checkRpc,
}

const refusals: readonly (readonly [ChainWriteFailure, RegExp])[] = [
  ['insufficient-funds', /insufficient (funds|balance)/i],
  ['nonce', /nonce too (low|high)|invalid nonce|nonce has already been used/i],
  ['underpriced', /underpriced|less than block base fee|fee cap .*less than/i],
  ['busy', /pool is full|rate limit|too many requests|header not found|limit exceeded/i],
]

/** Codes of JSON-RPC for a node in trouble: internal error, limit exceeded, resource unavailable. */
const busyCodes = new Set([-32603, -32005, -32002, 429])

/** Whether the node has the very same transaction already. */
export const isAlreadyKnown = (error: unknown): boolean =>
  error instanceof BaseError && /already (known|imported)|known transaction/i.test(error.details)

/** What kind of failure the node, or the way to it, told of. */
export function writeFailureOf(error: unknown): ChainWriteFailure {
  if (error instanceof ChainWriteError) return error.code
  if (!(error instanceof BaseError)) return 'refused'
  if (revertData(error) !== undefined) return 'reverted'
  const is = (kind: new (...args: never[]) => Error) =>
    error.walk((cause) => cause instanceof kind) as Error | null
  if (is(TimeoutError) !== null) return 'timeout'
  if (is(HttpRequestError) !== null) return 'unreachable'
  if (error.walk((cause) => (cause as Error).name === 'ExecutionRevertedError') !== null)
    return 'reverted'
  const known = refusals.find(([, text]) => text.test(error.details))
  if (known !== undefined) return known[0]
  const refusal = is(RpcRequestError) as RpcRequestError | null
  return refusal !== null && busyCodes.has(refusal.code) ? 'busy' : 'refused'
}

/** A failure of our own, of a kind. */
export const writeFailure = (
  failure: ChainWriteFailure,
  reason: string,
  cause?: unknown,
): ChainWriteError =>
  new ChainWriteError(reason, undefined, { code: failure, hint: hints[failure], cause })

/** Any error on the way of a transaction, as one that names the call, the kind and the cause. */
export function writeErrorOf(label: string, error: unknown): ChainWriteError {
  if (error instanceof ChainWriteError) {
    const { code, errorName, hint } = error
    return new ChainWriteError(`${label}: ${error.reason}`, errorName, {
      ...{ code, hint },
      cause: error.cause ?? error,
    })
  }
  const decoded = decodeRevert(error)
  if (decoded !== undefined) {
    return new ChainWriteError(`${label}: ${describeError(decoded)}`, decoded.errorName, {
      ...{ code: 'reverted', hint: hints.reverted },
      cause: error,
    })
  }
  const failure = writeFailureOf(error)
  return new ChainWriteError(`${label}: ${textOf(error)}`, undefined, {
    ...{ code: failure, hint: hints[failure] },
    cause: error,
  })
}

/** Only short texts: the long ones hold the RPC address, which may hold a key. */
function textOf(error: unknown): string {
  if (!(error instanceof BaseError)) return String(error)
  const refusal = error.walk((cause) => cause instanceof RpcRequestError)
  return refusal instanceof RpcRequestError
    ? `${error.shortMessage} ${refusal.details}`
    : error.shortMessage
}

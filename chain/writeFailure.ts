import { BaseError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem'
import { decodeRevert, describeError, revertData } from './customErrors.ts'
import { ChainWriteError, type ChainWriteFailure } from './errors.ts'

const checkRpc = 'Check the RPC URL and that the node is running.'

const hints: Readonly<Record<ChainWriteFailure, string>> = {
  reverted: 'The contract reverted the call; see its custom error.',
  'gas-burnt':
    'A PolicyData contract of the policy uses more gas in transactions than in simulations; the owner of the policy has to replace it.',
  'insufficient-funds': 'Fund the account with gas; the transaction is then retried.',
  nonce: 'Nonces are read again from the node before the retry.',
  dropped: 'Check the memory pool of the node; the transaction is sent again on retry.',
  underpriced: 'Fees are estimated again before the retry.',
  'not-mined': 'Check that the chain mines blocks.',
  busy: 'The node is overloaded; retry later.',
  unreachable: checkRpc,
  timeout: 'The node accepted the request but did not respond; check whether it hangs.',
  refused: checkRpc,
}

const refusals: readonly (readonly [ChainWriteFailure, RegExp])[] = [
  ['insufficient-funds', /insufficient (funds|balance)/i],
  ['nonce', /nonce too (low|high)|invalid nonce|nonce has already been used/i],
  ['underpriced', /underpriced|less than block base fee|fee cap .*less than/i],
  ['busy', /pool is full|rate limit|too many requests|header not found|limit exceeded/i],
]

/** JSON-RPC codes of a failing node: internal error, limit exceeded, resource unavailable. */
const busyCodes = new Set([-32603, -32005, -32002, 429])

/** Whether the node already has this transaction. */
export const isAlreadyKnown = (error: unknown): boolean =>
  error instanceof BaseError && /already (known|imported)|known transaction/i.test(error.details)

/** The kind of failure reported by the node or the transport. */
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

/** Creates a failure of a given kind. */
export const writeFailure = (
  failure: ChainWriteFailure,
  reason: string,
  cause?: unknown,
): ChainWriteError =>
  new ChainWriteError(reason, undefined, { code: failure, hint: hints[failure], cause })

/** Converts any error of a transaction to one with the call, the kind and the cause. */
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

/** Short texts only: the long ones contain the RPC URL, which may contain a key. */
function textOf(error: unknown): string {
  if (!(error instanceof BaseError)) return String(error)
  const refusal = error.walk((cause) => cause instanceof RpcRequestError)
  return refusal instanceof RpcRequestError
    ? `${error.shortMessage} ${refusal.details}`
    : error.shortMessage
}

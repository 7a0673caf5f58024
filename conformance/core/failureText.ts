import { AppError } from 'polgate-lib/errors/appError.ts'
import { ConformanceError } from './conformanceError.ts'
import { chainOf, rpcMethodIn, Unanswered, whyUnanswered } from './unanswered.ts'

/** The check or the suite is wrong, not the target. */
export class SuiteFault extends AppError {
  constructor(message: string) {
    super(message, { hint: 'This is an error of the suite: report it with the id of the check.' })
  }
}

/** What viem's errors have in common, and what some of them add. */
type ChainError = Error & {
  readonly shortMessage: string
  readonly details?: string
  readonly metaMessages?: readonly string[]
  readonly functionName?: string
  readonly body?: unknown
  readonly status?: number
  readonly reason?: string
  readonly data?: { readonly errorName?: string }
}

const isChainError = (error: unknown): error is ChainError =>
  error instanceof Error &&
  typeof (error as Partial<ChainError>).shortMessage === 'string' &&
  'walk' in error

const longestText = 200

function line(text: string): string {
  const first = text.split('\n')[0]!.trim()
  return first.length > longestText ? `${first.slice(0, longestText)}...` : first
}

function callOf(chain: readonly ChainError[]): string {
  const contract = chain.find(({ functionName }) => functionName !== undefined)?.functionName
  const method = chain
    .flatMap(({ body, metaMessages = [] }) => [JSON.stringify(body) ?? '', ...metaMessages])
    .map(rpcMethodIn)
    .find((name) => name !== undefined)
  if (contract !== undefined) return `the call of ${contract}() on the chain`
  return method === undefined ? 'a call to the node of the chain' : `${method} on the chain's node`
}

const checkNode = 'Check chain.rpcUrl in the target file, and the log of the node.'
const checkContract = 'Check the contract addresses in the target file.'

function whyOf(chain: readonly ChainError[], error: ChainError): readonly [string, string] {
  const named = (name: string) => chain.find((each) => each.name === name)
  const reverted = named('ContractFunctionRevertedError')
  if (reverted !== undefined) {
    const reason = reverted.data?.errorName ?? reverted.reason
    return [
      `the contract reverted${reason === undefined ? '' : ` with ${line(reason)}`}`,
      checkContract,
    ]
  }
  if (named('ContractFunctionZeroDataError') !== undefined)
    return ['there is no such contract at that address', checkContract]
  if (named('TimeoutError') !== undefined) return ['no answer in time', checkNode]
  const http = named('HttpRequestError')
  if (http?.status !== undefined) return [`it answered HTTP ${http.status}`, checkNode]
  if (http !== undefined) return [whyUnanswered(http.cause).text, checkNode]
  const said = error.details
  return [said ? `it answered '${line(said)}'` : 'the request failed', checkNode]
}

/** A failed call to the chain. */
function chainText(error: ChainError): string {
  const chain = chainOf(error).filter(isChainError)
  const [why, hint] = whyOf(chain, error)
  return `${callOf(chain)} failed: ${why}. ${hint}`
}

/**
 * Any error in words of the suite, in one line: what failed, why, and what to do. A library's own
 * text, of many lines and about the library, is not part of it.
 */
export function failureText(error: unknown): string {
  if (isChainError(error)) return chainText(error)
  if (error instanceof AppError) {
    const { message, hint }: { message: string; hint?: string | undefined } = error
    return hint === undefined ? line(message) : `${message}. ${hint}`.replaceAll('\n', ' ')
  }
  if (chainOf(error).some((each) => typeof (each as { code?: unknown }).code === 'string')) {
    const { text, hint } = whyUnanswered(error)
    return `a request failed: ${text}. ${hint}`
  }
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return `the check ended with an error instead of a finding (${line(text)}). Compare the answers in its evidence with the specification; if they are valid, this is an error of the suite`
}

/** What a failure says, whatever error ended the check. */
export type FindingText = {
  readonly reason: string
  readonly expected: string
  readonly observed: string
  readonly counterexample?: string | undefined
}

export function findingOf(error: unknown): FindingText {
  if (error instanceof ConformanceError) {
    const { message, expected, observed, counterexample } = error
    return { reason: message, expected, observed, counterexample }
  }
  const reason = failureText(error)
  if (error instanceof Unanswered) {
    const { text, silent } = error.why
    return silent
      ? { reason, expected: 'an answer', observed: `none: ${text}` }
      : { reason, expected: 'an answer that can be read', observed: text }
  }
  const observed = line(error instanceof Error ? error.message : String(error))
  return { reason, expected: 'answers that the check can judge', observed }
}

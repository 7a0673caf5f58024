import type { ClientBrand } from '../client/brand.ts'
import { type CallOptions, type Connection, checkNumber } from '../client/connection.ts'
import { throwIfAborted } from '../errors/abortError.ts'
import {
  InvalidOptionsError,
  InvalidParamsError,
  RateLimitedError,
} from '../errors/accessErrors.ts'
import type { ErrorContext } from '../errors/clientError.ts'
import { NotFoundError, PolicyNotFoundError } from '../errors/policyErrors.ts'
import {
  NetworkError,
  RequestRefusedError,
  ResponseMalformedError,
  UnavailableError,
} from '../errors/transportErrors.ts'
import type { ExplorerNetwork, ExplorerOperations } from '../generated/explorerTypes.ts'
import { errorOfStatus } from '../rpc/errorOfAnswer.ts'
import { createDeadline } from '../transport/deadline.ts'
import { type Answer, exchange } from '../transport/exchange.ts'
import { retryAfterMs } from '../transport/retryAfter.ts'
import { withinDeadline } from '../transport/withinDeadline.ts'
import { withRetries } from '../transport/withRetries.ts'

type Operation = keyof ExplorerOperations

/** `network`: another than that of the client. */
export type ExplorerCallOptions = CallOptions & { readonly network?: ExplorerNetwork | undefined }

export type ExplorerAnswer<O extends Operation> = {
  readonly result: ExplorerOperations[O]['result']
  /** The query of the next page, from the `Link` header. */
  readonly next: Readonly<Record<string, string>> | undefined
  /** Whether the answer has that header. */
  readonly linked: boolean
}

export type ExplorerRequest = <O extends Operation>(
  operation: O,
  where: {
    readonly path: ExplorerOperations[O]['path']
    readonly named?: Readonly<Record<string, string>>
    readonly query?: Readonly<Record<string, string | number | undefined>> | undefined
  },
  options?: ExplorerCallOptions,
) => Promise<ExplorerAnswer<O>>

const networks: readonly string[] = ['testnet', 'base-sepolia', 'mainnet', 'base']

/** A longer id is none: it is cut, so that the URL is bounded, and not found. */
const longestName = 200

const fill = (path: string, named: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(named[name]).slice(0, longestName)),
  )

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `detail` is a text, or a list with one entry per parameter (section 7.6, decision X2). */
function detailOf(body: unknown): { details?: string; member?: string } {
  const { detail } = (body ?? {}) as { detail?: unknown }
  if (typeof detail === 'string') return { details: detail }
  if (!Array.isArray(detail)) return {}
  const [first] = detail as readonly { msg?: unknown; loc?: unknown }[]
  const loc = Array.isArray(first?.loc) ? String(first.loc.at(-1)) : undefined
  return {
    ...(typeof first?.msg === 'string' && { details: first.msg }),
    ...(loc !== undefined && { member: loc }),
  }
}

function failure(operation: Operation, { status, headers, text }: Answer, context: ErrorContext) {
  const { details, member } = detailOf(parse(text))
  const told = { ...context, details }
  if (status === 404 && details !== undefined && details !== 'Not Found') {
    if (operation === 'getPolicy') return new PolicyNotFoundError(told)
    return new NotFoundError(operation === 'getTask' ? 'task' : 'policy', told)
  }
  if (status === 422) return new InvalidParamsError({ ...told, member })
  if (status === 400) return new RequestRefusedError(told)
  return errorOfStatus(status, { ...told, retryAfterMs: retryAfterMs(headers.get('retry-after')) })
}

/** The query of `rel="next"` (RFC 8288), of this list. */
function nextOf(link: string | null): Readonly<Record<string, string>> | undefined {
  const target = /<[^>]*\?([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1]
  return target === undefined ? undefined : Object.fromEntries(new URLSearchParams(target))
}

/** The REST transport (section 4.12). All requests are reads, and repeated after passing errors. */
export function createExplorerRequest(
  connection: Connection,
  brand: ClientBrand,
  ownNetwork: ExplorerNetwork | undefined,
): ExplorerRequest {
  return async (operation, { path, named = {}, query = {} }, options = {}) => {
    const { signal, network = ownNetwork } = options
    if (network !== undefined && !networks.includes(network))
      throw new InvalidOptionsError('The network is unknown.', `Use one of ${networks.join(', ')}.`)
    const timeoutMs = checkNumber(
      'timeoutMs',
      options.timeoutMs ?? connection.timeoutMs,
      1,
      2 ** 31 - 1,
    )
    const retries = checkNumber('retries', options.retries ?? connection.retries, 0, 100)
    const sent = new URLSearchParams()
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) sent.set(name, String(value))
    const target = `${fill(path, named)}${sent.size > 0 ? `?${sent}` : ''}`
    const metaMessages = [`Request: GET ${target.slice(0, 300)}`]
    throwIfAborted(signal)
    const deadline = createDeadline(timeoutMs, signal)
    const attempt = async () => {
      const bounds = { deadline, timeoutMs, metaMessages, signal }
      const key = await withinDeadline(connection.getKey, bounds)
      const answer = await exchange({
        fetch: connection.fetch,
        url: `${connection.url}${target}`,
        init: {
          method: 'GET',
          headers: {
            authorization: `Bearer ${key}`,
            ...(network !== undefined && { [brand.networkHeader]: network }),
          },
        },
        ...bounds,
        maxBytes: connection.maxResponseBytes,
      })
      const error = failure(operation, answer, { metaMessages })
      if (error !== undefined) throw error
      const result = parse(answer.text)
      if (typeof result !== 'object' || result === null)
        throw new ResponseMalformedError('it is not a JSON object', { metaMessages })
      const link = answer.headers.get('link')
      return { result, next: nextOf(link), linked: link !== null } as never
    }
    const mayRepeat = (error: unknown) =>
      error instanceof NetworkError ||
      error instanceof UnavailableError ||
      error instanceof RateLimitedError
    try {
      return await withRetries(attempt, { retries, deadline, signal, mayRepeat })
    } finally {
      deadline.release()
    }
  }
}

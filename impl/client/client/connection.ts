import { InvalidOptionsError } from '../errors/accessErrors.ts'

/** The API key, or a function that returns the current one, for keys that are rotated. */
export type ApiKey = string | (() => string | Promise<string>)

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Options of every client of a server. */
export type ConnectionOptions = {
  /** Without `/rpc`, `/v1` or `/ws` at its end. */
  readonly url: string
  /** Never part of an error or of the client's printed form. */
  readonly key: ApiKey
  /** Default: the global one. */
  readonly fetch?: Fetch | undefined
  /** Time for a whole call with its retries, milliseconds; default 60,000. */
  readonly timeoutMs?: number | undefined
  /** Retries after the first attempt; default 4. Only what is safe to repeat is sent again. */
  readonly retries?: number | undefined
  /** Longest body of an answer, after decompression; default 32 MiB. */
  readonly maxResponseBytes?: number | undefined
}

/** Options of one call. */
export type CallOptions = {
  readonly signal?: AbortSignal | undefined
  /** As in the options of the client. */
  readonly timeoutMs?: number | undefined
  readonly retries?: number | undefined
}

/** How a client reaches its server. */
export type Connection = {
  /** Without a slash at its end. */
  readonly url: string
  /** Checked: a key that fits into a header. @throws InvalidOptionsError without the key */
  readonly getKey: () => Promise<string>
  readonly fetch: Fetch
  readonly timeoutMs: number
  readonly retries: number
  readonly maxResponseBytes: number
}

/** Browsers require that fetch is called on the global object. */
export const platformFetch: Fetch = (url, init) => globalThis.fetch(url, init)

/** Longest delay of a timer. */
const longestMs = 2 ** 31 - 1

export function checkNumber(name: string, value: number, least: number, most: number): number {
  if (Number.isFinite(value) && value >= least && value <= most) return value
  throw new InvalidOptionsError(
    `The option ${name} is ${String(value)}.`,
    `It must be a number from ${least} to ${most}.`,
  )
}

/** @param option its name, for the error. @throws InvalidOptionsError */
export function checkUrl(
  option: string,
  text: string,
  protocols: readonly string[] = ['http:', 'https:'],
): string {
  const refuse = (why: string): never => {
    // The URL is not quoted: it may hold credentials.
    throw new InvalidOptionsError(`The option ${option} ${why}.`, 'Pass the address of the server.')
  }
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return refuse('is not a URL')
  }
  if (!protocols.includes(url.protocol)) refuse(`is not a URL of ${protocols.join(' or ')}`)
  if (url.username !== '' || url.password !== '') refuse('contains credentials')
  if (url.search !== '' || url.hash !== '') refuse('has a query or a fragment')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

function checkKey(key: unknown): string {
  if (typeof key === 'string' && /^[\x21-\x2b\x2d-\x7e]{1,256}$/.test(key)) return key
  throw new InvalidOptionsError(
    'The option key is not an API key.',
    'A key is a text of 1 to 256 printable ASCII characters without spaces and commas.',
  )
}

async function keyOf(key: () => string | Promise<string>): Promise<string> {
  try {
    return await key()
  } catch (cause) {
    throw new InvalidOptionsError('The function key failed.', 'See the cause.', { cause })
  }
}

/** @throws InvalidOptionsError */
export function connect(options: ConnectionOptions): Connection {
  const { key, timeoutMs = 60_000, retries = 4, maxResponseBytes = 32 * 1024 * 1024 } = options
  if (typeof key !== 'function') checkKey(key)
  return {
    url: checkUrl('url', options.url),
    getKey: async () => checkKey(typeof key === 'function' ? await keyOf(key) : key),
    fetch: options.fetch ?? platformFetch,
    timeoutMs: checkNumber('timeoutMs', timeoutMs, 1, longestMs),
    retries: checkNumber('retries', retries, 0, 100),
    maxResponseBytes: checkNumber('maxResponseBytes', maxResponseBytes, 1, 2 ** 30),
  }
}

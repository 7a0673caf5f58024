import { type Exchange, type KeyName, keyVariable, type SendOptions } from '../core/exchange.ts'
import { named, type Unanswered } from '../core/unanswered.ts'
import { readText } from './readText.ts'

export type Transport = {
  /** Base of every path. */
  readonly baseUrl: string
  readonly keys: Readonly<Partial<Record<KeyName, string>>>
  readonly fetch: typeof fetch
  /** Called for a request without an answer, before `send` throws it. */
  readonly missed?: (error: Unanswered) => void
}

type SentKey = {
  /** Value of the header. */
  readonly value?: string
  /** How the exchange shows it. */
  readonly shown: { readonly variable?: string; readonly header?: string }
}

function sentKey(transport: Transport, { key, keyHeader }: SendOptions): SentKey {
  const scheme = keyHeader === 'x-api-key' ? '' : 'Bearer '
  if (key === undefined) return { shown: {} }
  if (typeof key === 'string') {
    const value = `${scheme}${transport.keys[key] ?? ''}`
    return { value, shown: { variable: keyVariable(key) } }
  }
  if ('header' in key) return { value: key.header, shown: { header: key.header } }
  return { value: `${scheme}${key.value}`, shown: { variable: key.name } }
}

const json = { 'content-type': 'application/json' }

/**
 * Sends one HTTP request and reads the whole response.
 *
 * @throws Unanswered where none arrives that can be read
 */
export async function send(transport: Transport, options: SendOptions): Promise<Exchange> {
  const method = options.method ?? 'POST'
  const bodiless = method === 'GET' || method === 'HEAD'
  const url = `${transport.baseUrl}${options.path ?? '/rpc'}`
  const headers: Record<string, string> = { ...(bodiless ? {} : json), ...options.headers }
  const { value, shown } = sentKey(transport, options)
  const { keyHeader = 'authorization' } = options
  const request = {
    method,
    url,
    headers: shown.header === undefined ? headers : { ...headers, [keyHeader]: shown.header },
    body: options.body ?? '',
    key: shown.variable,
    ...(options.keyHeader === undefined ? {} : { keyHeader: options.keyHeader }),
  }
  const started = performance.now()
  const { response, body } = await named(
    request,
    async () => {
      const answered = await transport.fetch(url, {
        method,
        headers: value === undefined ? headers : { ...headers, [keyHeader]: value },
        redirect: 'manual',
        signal: AbortSignal.timeout(options.timeoutMs ?? 60_000),
        ...(bodiless ? {} : { body: options.body ?? '' }),
      })
      return { response: answered, body: await readText(answered) }
    },
    transport.missed,
  )
  return {
    request,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body,
    ms: performance.now() - started,
  }
}

const methodOf = (input: Parameters<typeof fetch>[0], init: RequestInit | undefined) =>
  init?.method ?? (input instanceof Request ? input.method : 'GET')

/** The same, with errors that name the request. */
export const namedFetch =
  (inner: typeof fetch): typeof fetch =>
  (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    const body = typeof init?.body === 'string' ? init.body : ''
    const request = { method: methodOf(input, init), url, headers: {}, body, key: undefined }
    return named(request, () => inner(input, init))
  }

import { type Exchange, type KeyName, keyVariable, type SendOptions } from '../core/exchange.ts'
import { readText } from './readText.ts'

export type Transport = {
  /** Base of every path. */
  readonly baseUrl: string
  readonly keys: Readonly<Partial<Record<KeyName, string>>>
  readonly fetch: typeof fetch
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

/** Sends one HTTP request and reads the whole response. Throws what `fetch` throws. */
export async function send(transport: Transport, options: SendOptions): Promise<Exchange> {
  const method = options.method ?? 'POST'
  const bodiless = method === 'GET' || method === 'HEAD'
  const url = `${transport.baseUrl}${options.path ?? '/rpc'}`
  const headers: Record<string, string> = { ...(bodiless ? {} : json), ...options.headers }
  const { value, shown } = sentKey(transport, options)
  const { keyHeader = 'authorization' } = options
  const started = performance.now()
  const response = await transport.fetch(url, {
    method,
    headers: value === undefined ? headers : { ...headers, [keyHeader]: value },
    redirect: 'manual',
    signal: AbortSignal.timeout(options.timeoutMs ?? 60_000),
    ...(bodiless ? {} : { body: options.body ?? '' }),
  })
  const body = await readText(response)
  return {
    request: {
      method,
      url,
      headers: shown.header === undefined ? headers : { ...headers, [keyHeader]: shown.header },
      body: options.body ?? '',
      key: shown.variable,
      ...(options.keyHeader === undefined ? {} : { keyHeader: options.keyHeader }),
    },
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body,
    ms: performance.now() - started,
  }
}

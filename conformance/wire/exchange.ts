/** One request and what came back, without the key's value. */
export type Exchange = {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    /** Name of the environment variable that stands for the key. */
    readonly key: string | undefined
  }
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly ms: number
}

export type KeyName = 'read' | 'write' | 'rpc' | 'none' | 'expired' | 'stranger' | 'admin'

/** The environment variable that holds a key: `SVC_KEY_READ`. */
export const keyVariable = (name: KeyName): string => `SVC_KEY_${name.toUpperCase()}`

/** A key that a check made for itself, and the name that stands for it in what is printed. */
export type OwnKey = { readonly value: string; readonly name: string }

export type SendOptions = {
  readonly method?: string
  /** Below the gateway's address; `/rpc` where none is given. */
  readonly path?: string
  readonly body?: string | undefined
  /** A key by name, or a raw header value for checks of the header itself. */
  readonly key?: KeyName | OwnKey | { readonly header: string } | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
}

export type Transport = {
  readonly gatewayUrl: string
  readonly keys: Readonly<Partial<Record<KeyName, string>>>
  readonly fetch: typeof fetch
}

/** Answers are read up to here; a target that sends more has failed the check that asked. */
const longestAnswer = 16 * 1024 * 1024

/** The header that is sent, and how the exchange tells of it. */
const authorizationOf = (
  transport: Transport,
  key: SendOptions['key'],
): {
  readonly authorization?: string
  readonly shown: { readonly variable?: string; readonly header?: string }
} => {
  if (key === undefined) return { shown: {} }
  if (typeof key === 'string') {
    const authorization = `Bearer ${transport.keys[key] ?? ''}`
    return { authorization, shown: { variable: keyVariable(key) } }
  }
  if ('header' in key) return { authorization: key.header, shown: { header: key.header } }
  return { authorization: `Bearer ${key.value}`, shown: { variable: key.name } }
}

/** Sends one HTTP request and reads the whole answer. Throws what `fetch` throws. */
export const send = async (transport: Transport, options: SendOptions): Promise<Exchange> => {
  const method = options.method ?? 'POST'
  const url = `${transport.gatewayUrl}${options.path ?? '/rpc'}`
  const headers: Record<string, string> = { 'content-type': 'application/json', ...options.headers }
  const { authorization, shown } = authorizationOf(transport, options.key)
  const started = performance.now()
  const response = await transport.fetch(url, {
    method,
    headers: authorization === undefined ? headers : { ...headers, authorization },
    redirect: 'manual',
    signal: AbortSignal.timeout(options.timeoutMs ?? 60_000),
    ...(method === 'GET' || method === 'HEAD' ? {} : { body: options.body ?? '' }),
  })
  const body = await response.text()
  if (body.length > longestAnswer) throw new Error(`answer of ${body.length} characters`)
  return {
    request: {
      method,
      url,
      headers: shown.header === undefined ? headers : { ...headers, Authorization: shown.header },
      body: options.body ?? '',
      key: shown.variable,
    },
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body,
    ms: performance.now() - started,
  }
}

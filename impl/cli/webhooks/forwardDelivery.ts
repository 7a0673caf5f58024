import http from 'node:http'
import https from 'node:https'
import { CommandError } from '../commandDefinition.ts'

export type Forwarded = {
  /** For the service: that of the local program, or 502 without an answer, 504 if it came too late. */
  readonly status: number
  /** The service honours it after a 429. */
  readonly retryAfter?: string | undefined
  /** Why there is no answer. */
  readonly error?: string | undefined
  readonly ms: number
}

/** Of one connection (RFC 9110, section 7.6.1); `host` and length are those of the new request. */
const ofConnection = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding'],
  ...['upgrade', 'host', 'content-length'],
])

/**
 * Sends a delivery to the local program as it arrived: the same bytes, headers in the same order and letter
 * case. Redirects are not followed and the status counts once the header of the answer is there, as for the
 * service.
 *
 * @param options.withinMs shorter than the timeout of the webhook, so that the service learns of it
 * @param options.signal aborted when the service gives up
 */
export function forwardDelivery(
  to: URL,
  delivery: { readonly rawHeaders: readonly string[]; readonly body: Uint8Array },
  options: { readonly withinMs: number; readonly signal: AbortSignal },
): Promise<Forwarded> {
  const begin = performance.now()
  const timeout = AbortSignal.timeout(options.withinMs)
  const ended = (rest: Omit<Forwarded, 'ms'>) => ({
    ...rest,
    ms: Math.round(performance.now() - begin),
  })
  return new Promise((resolve) => {
    const send = to.protocol === 'https:' ? https.request : http.request
    const request = send(to, {
      method: 'POST',
      agent: false,
      signal: AbortSignal.any([timeout, options.signal]),
      headers: [
        ...endToEnd(delivery.rawHeaders),
        ...['Host', to.host, 'Content-Length', String(delivery.body.length)],
        ...['Connection', 'close'],
      ],
    })
    request.on('response', (response) => {
      const { statusCode: status = 502, headers } = response
      resolve(ended({ status, retryAfter: headers['retry-after'] }))
      // The body does not count, as for the service: it may never end. It is read until the service is
      // answered, so that an ordinary program can write it.
      response.on('error', () => {})
      response.resume()
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (timeout.aborted)
        resolve(ended({ status: 504, error: `no answer within ${options.withinMs} ms` }))
      // On a busy machine the service may give up before the shorter time here is over.
      else if (options.signal.aborted)
        resolve(ended({ status: 504, error: 'no answer before the service gave up' }))
      else resolve(ended({ status: 502, error: `no answer: ${error.code ?? 'failed'}` }))
    })
    request.end(delivery.body)
  })
}

const endToEnd = (raw: readonly string[]): string[] =>
  raw.flatMap((name, at) =>
    at % 2 === 0 && !ofConnection.has(name.toLowerCase()) ? [name, raw[at + 1] ?? ''] : [],
  )

/** The URL of `--forward-to`. @throws CommandError */
export function forwardUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password === '')
    return url
  throw new CommandError(`--forward-to is not an HTTP URL without credentials`, {
    hint: 'Use for example http://127.0.0.1:3000/hook.',
  })
}

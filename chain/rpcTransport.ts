import { request as send } from 'undici'
import {
  createTransport,
  HttpRequestError,
  ResponseBodyTooLargeError,
  RpcRequestError,
  TimeoutError,
  type Transport,
} from 'viem'

/** Maximum size of a response in bytes. */
const longestAnswer = 10 * 1024 * 1024

export type RpcTransportOptions = {
  /** Timeout of a request including its response, milliseconds. */
  readonly timeout: number
  /** Retries after a transport error. */
  readonly retryCount: number
}

type RpcAnswer = {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** Credentials of a URL are sent as a header; messages contain the URL without them. */
function addressOf(rpcUrl: string) {
  const url = new URL(rpcUrl)
  const { username, password } = url
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (username !== '' || password !== '')
    headers.authorization = `Basic ${btoa(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)}`
  url.username = ''
  url.password = ''
  return { url: url.toString(), headers }
}

function isRpcError(value: unknown): value is RpcAnswer {
  const { error } = (value ?? {}) as RpcAnswer
  return typeof error?.code === 'number' && typeof error.message === 'string'
}

/**
 * JSON-RPC over HTTP for viem, with the same errors as its `http`. That transport creates a
 * `Request` and a stream for every call of the global `fetch`, which is most of the cost of a call
 * to a near node. Redirects are not followed.
 */
export function rpcTransport(rpcUrl: string, options: RpcTransportOptions): Transport {
  const { timeout, retryCount } = options
  const { url, headers } = addressOf(rpcUrl)
  let last = 0

  const ask = async (body: { method: string; params?: unknown }): Promise<RpcAnswer> => {
    const response = await send(url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', id: ++last, ...body }),
      signal: AbortSignal.timeout(timeout),
    })
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > longestAnswer)
        throw new ResponseBodyTooLargeError({ maxSize: longestAnswer, size })
      chunks.push(chunk)
    }
    const text = Buffer.concat(chunks).toString()
    const status = response.statusCode
    let answer: unknown
    try {
      answer = JSON.parse(text)
    } catch (cause) {
      throw new HttpRequestError({
        body,
        ...(status < 300 ? { cause: cause as Error } : { details: text.slice(0, 1_000) }),
        status,
        url,
      })
    }
    if (status < 300 || isRpcError(answer)) return answer as RpcAnswer
    throw new HttpRequestError({ body, details: text.slice(0, 1_000), status, url })
  }

  return () =>
    createTransport(
      {
        key: 'http',
        name: 'JSON-RPC over HTTP',
        type: 'http',
        retryCount,
        timeout,
        async request({ method, params }) {
          const body = { method, params }
          const { error, result } = await ask(body).catch((cause: Error) => {
            if (cause.name === 'TimeoutError') throw new TimeoutError({ body, url })
            if (cause instanceof HttpRequestError || cause instanceof ResponseBodyTooLargeError)
              throw cause
            throw new HttpRequestError({ body, cause, url })
          })
          if (error) throw new RpcRequestError({ body, error, url })
          return result as never
        },
      },
      { url },
    )
}

import type { Context } from 'hono'

/** Longest body that is passed on, bytes. */
export const maxBody = 10 * 1024 * 1024
/** Long enough for createTask, which waits for its task. */
const timeoutMs = 150_000

/** Headers of answers that the page may see. */
const passedOn = ['content-type', 'retry-after', 'x-request-id', 'deprecation']

export type Forward = {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** Sends a request to the target and returns its answer; 502 if there is none. */
export async function forward(c: Context, { url, method, headers, body }: Forward) {
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(timeoutMs)]),
    })
    const answered = new Headers({ 'cache-control': 'no-store' })
    for (const name of passedOn) {
      const value = response.headers.get(name)
      if (value !== null) answered.set(name, value)
    }
    return new Response(response.body, { status: response.status, headers: answered })
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } }
    const why =
      name === 'TimeoutError' ? 'does not respond' : `is unreachable (${cause?.code ?? name})`
    return c.json({ error: `${new URL(url).host} ${why}` }, 502)
  }
}

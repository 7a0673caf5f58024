import { createHash, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'

const loopbackHosts = new Set(['127.0.0.1', 'localhost'])

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** In constant time. */
export const isToken = (given: string, token: string): boolean =>
  timingSafeEqual(digest(given), digest(token))

type Caller = {
  readonly host: string | undefined
  readonly origin: string | undefined
  /** `Sec-Fetch-Site`: where the page is that sends the request. */
  readonly site: string | undefined
}

/**
 * Why a request is refused that the page of this listener did not send; undefined if it did. Pages
 * of other origins send their origin, and a name that resolves to this machine (DNS rebinding) is
 * in the Host header.
 */
export function foreignPage({ host, origin, site }: Caller, port: number): string | undefined {
  const [, name = '', own = '80'] = /^([^:]*)(?::(\d{1,5}))?$/.exec(host ?? '') ?? []
  if (!loopbackHosts.has(name.toLowerCase()) || Number(own) !== port)
    return `the Host header must be 127.0.0.1:${port} or localhost:${port}`
  if (origin !== undefined && origin !== `http://${host}`)
    return 'the request is from a page of another origin'
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return 'the request is from a page of another site'
  return undefined
}

/** Refuses with 403 what is not from the page of this listener. */
export const ownPageOnly =
  (port: () => number): MiddlewareHandler =>
  async (c, next) => {
    const why = foreignPage(
      {
        host: c.req.header('host'),
        origin: c.req.header('origin'),
        site: c.req.header('sec-fetch-site'),
      },
      port(),
    )
    return why === undefined ? next() : c.json({ error: why }, 403)
  }

/** Refuses with 401 what has not the token, as `Authorization: Bearer` or as `x-api-key` of the SDK. */
export const withToken =
  (token: string): MiddlewareHandler =>
  async (c, next) => {
    const bearer = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
    const given = bearer ?? c.req.header('x-api-key')
    if (given !== undefined && isToken(given, token)) return next()
    return c.json(
      {
        error:
          'the token of this page is missing or wrong: open the address that the command printed',
      },
      401,
    )
  }

import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { isToken, ownPageOnly, withToken } from './guard.ts'
import { type Forward, forward, maxBody } from './proxy.ts'
import { changes } from './readOnly.ts'
import { describeTarget, type StudioTarget } from './target.ts'

export type Asset = { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> }

export type StudioOptions = {
  readonly target: StudioTarget
  /** In the fragment of the page's address; every request to `/api` has it. */
  readonly token: string
  /** Whether a code of `/open` may be used now, which uses it up. Absent: there are none. */
  readonly useCode?: (code: string) => boolean
  /** Loads the files of the page, by path such as `/index.html`; called for every one of them. */
  readonly assets: () => Promise<ReadonlyMap<string, Asset>>
  /** The port that it listens on. */
  readonly port: () => number
}

/**
 * Nothing but files of this origin. The editor's styles are constructed sheets, which need no
 * exception; `blob:` is for downloads of what the page made.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const pageHeaders = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}

const usedUp =
  'This address works once, within a minute. Open the address that the command printed.\n'

/**
 * The page of Studio, and `/api`, by which it reaches gateway, explorer, node, control API and the
 * readiness of its target: from the same origin, with its token, and with keys that the browser never sees.
 * Without a control API only reads are possible.
 */
export function createStudio(options: StudioOptions): Hono {
  const { target, token, assets, port } = options
  const readOnly = target.controlUrl === undefined
  const app = new Hono()
  app.use(ownPageOnly(port))

  const api = new Hono()
  api.use(withToken(token))
  api.use(
    bodyLimit({
      maxSize: maxBody,
      onError: (c) => c.json({ error: `the body is larger than ${maxBody} bytes` }, 413),
    }),
  )
  function keyOf(c: Context): string | undefined {
    const name = c.req.header('x-studio-key') ?? target.defaultKey
    return Object.hasOwn(target.keys, name) ? target.keys[name] : undefined
  }
  const missing = (c: Context, what: string) => c.json({ error: `this target has no ${what}` }, 404)

  api.get('/target', (c) => c.json(describeTarget(target)))

  const rpc = async (c: Context) => {
    const body = await c.req.text()
    const refused = readOnly ? changes(body, 'gateway') : undefined
    if (refused !== undefined) return c.json({ error: refused }, 403)
    const key = keyOf(c)
    if (key === undefined) return c.json({ error: 'there is no key of this name' }, 422)
    return forward(c, {
      url: `${target.gatewayUrl}/rpc`,
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body,
    })
  }
  api.post('/rpc', rpc)

  api.get('/explorer/*', (c) => {
    const key = keyOf(c)
    if (target.explorerUrl === undefined || key === undefined) return missing(c, 'explorer')
    const { pathname, search } = new URL(c.req.url)
    const network = c.req.header(target.brand.networkHeader)
    return forward(c, {
      url: `${target.explorerUrl}${pathname.slice('/api/explorer'.length)}${search}`,
      method: 'GET',
      headers: {
        'x-api-key': key,
        ...(network === undefined ? {} : { [target.brand.networkHeader]: network }),
      },
    })
  })

  api.post('/chain', async (c) => {
    if (target.rpcUrl === undefined) return missing(c, 'node')
    const body = await c.req.text()
    const refused = readOnly ? changes(body, 'node') : undefined
    if (refused !== undefined) return c.json({ error: refused }, 403)
    return forward(c, { url: target.rpcUrl, method: 'POST', headers: {}, body })
  })

  api.get('/ready', (c) =>
    target.adminUrl === undefined
      ? missing(c, 'admin listener')
      : forward(c, { url: `${target.adminUrl}/readyz`, method: 'GET', headers: {} }),
  )

  api.all('/control/*', async (c) => {
    if (target.controlUrl === undefined) return missing(c, 'control API: Studio is read-only here')
    const { pathname, search } = new URL(c.req.url)
    const { method } = c.req
    const body = method === 'GET' || method === 'HEAD' ? undefined : await c.req.text()
    const request: Forward = {
      url: `${target.controlUrl}${pathname.slice('/api/control'.length)}${search}`,
      ...{ method, headers: {}, body: body === '' ? '{}' : body },
    }
    return forward(c, request)
  })
  api.notFound((c) => c.json({ error: 'unknown path' }, 404))
  app.route('/api', api)

  // Arguments of the process that opens the browser are visible to others: they have a code instead of the token.
  app.get('/open', (c) => {
    const headers = { ...pageHeaders, 'cache-control': 'no-store' }
    const isUsed = options.useCode?.(c.req.query('code') ?? '') === true
    return isUsed
      ? c.body(null, 302, { ...headers, location: `/#token=${token}` })
      : c.text(usedUp, 410, headers)
  })

  app.get('*', async (c) => {
    const { pathname } = new URL(c.req.url)
    const asset = (await assets()).get(pathname === '/' ? '/index.html' : pathname)
    if (asset === undefined) return c.text('not found', 404, pageHeaders)
    const kept = /-[\w-]{8,}\.\w+$/.test(pathname)
    return c.body(asset.bytes, 200, {
      ...pageHeaders,
      'content-type': asset.type,
      'cache-control': kept ? 'public, max-age=31536000, immutable' : 'no-cache',
    })
  })
  return app
}

/** The key for a WebSocket of the page; undefined if it may not open one. */
export function socketKey(options: StudioOptions, given: string | null): string | undefined {
  if (given === null || !isToken(given, options.token)) return undefined
  return options.target.keys[options.target.defaultKey]
}

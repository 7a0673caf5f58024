import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import type { Target } from 'polgate-conformance/core/target.ts'
import { updatesUrl } from 'polgate-conformance/targets/places.ts'
import type { PreparedTarget } from 'polgate-conformance/targets/target.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { Variant } from './variant.ts'

/** Other choices in section 4.11: the address of the WebSocket, and who may open it. */

type Parts = NonNullable<Variant['parts']>

type Rewritten = { readonly head: string } | { readonly answer: string }

/**
 * A proxy that rewrites the head of the first request of each connection, or answers it itself. What
 * follows on the connection passes unchanged.
 */
async function startProxy(upstream: URL, rewrite: (head: string) => Rewritten) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    let received = Buffer.alloc(0)
    const onHead = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      const end = received.indexOf('\r\n\r\n')
      if (end < 0) return
      socket.off('data', onHead)
      socket.pause()
      const given = rewrite(received.subarray(0, end).toString('latin1'))
      if ('answer' in given) return void socket.end(given.answer)
      const other = dial(Number(upstream.port), upstream.hostname, () => {
        other.write(`${given.head}\r\n\r\n`, 'latin1')
        other.write(received.subarray(end + 4))
        other.pipe(socket)
        socket.pipe(other)
      })
      other.on('error', () => socket.destroy())
      other.on('close', () => socket.destroy())
      socket.on('close', () => other.destroy())
    }
    socket.on('data', onHead)
  })
  server.listen(0, '127.0.0.1')
  await new Promise<void>((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const isUpgrade = (head: string) => /\r\nupgrade: *websocket/i.test(head)

/** The same request for another path, with its query. */
const at = (head: string, path: string) =>
  head.replace(/^(\S+ )[^ ?]*/, (_, method) => `${method}${path}`)

const plain = (status: string) =>
  `HTTP/1.1 ${status}\r\nupgrade: websocket\r\nconnection: upgrade, close\r\ncontent-length: 0\r\n\r\n`

/** The WebSocket has a port of its own. */
async function atOwnPort(target: Target): Promise<PreparedTarget> {
  const inner = new URL(updatesUrl(target))
  const { host, close } = await startProxy(inner, (head) =>
    isUpgrade(head) && /^GET \/v2\/events[ ?]/.test(head)
      ? { head: at(head, inner.pathname) }
      : { answer: plain('426 Upgrade Required') },
  )
  return { target: { ...target, updatesUrl: `ws://${host}/v2/events${inner.search}` }, close }
}

/** The WebSocket has the path of the calls. */
async function atPathOfCalls(target: Target): Promise<PreparedTarget> {
  const { host, close } = await startProxy(new URL(target.gatewayUrl), (head) => {
    if (!isUpgrade(head)) return { head }
    return { head: at(head, /^GET \/rpc[ ?]/.test(head) ? '/ws' : '/elsewhere') }
  })
  return {
    target: { ...target, gatewayUrl: `http://${host}`, updatesUrl: `ws://${host}/rpc` },
    close,
  }
}

const withoutKey = (head: string) => head.replace(/\r\nauthorization:[^\r]*/gi, '')

/** A browser cannot set headers: the key is in the query. */
async function keyInQuery(target: Target): Promise<PreparedTarget> {
  const inner = new URL(updatesUrl(target))
  const { host, close } = await startProxy(inner, (head) => ({ head: withoutKey(head) }))
  return { target: { ...target, updatesUrl: `ws://${host}${inner.pathname}?api_key={key}` }, close }
}

const guest = 'a-guest-without-a-key'

/** A handshake without a usable key is one of a guest. */
async function forGuests(target: Target): Promise<PreparedTarget> {
  const inner = new URL(updatesUrl(target))
  const { host, close } = await startProxy(inner, (head) =>
    /\r\nauthorization: *bearer |^\S+ \S*[?&]api_key=[^ &]/i.test(head)
      ? { head }
      : { head: `${withoutKey(head)}\r\nauthorization: Bearer ${guest}` },
  )
  const { pathname, search } = inner
  return { target: { ...target, updatesUrl: `ws://${host}${pathname}${search}` }, close }
}

type Keys = Parameters<NonNullable<ServiceParts['updateServer']>>[0]['apiKeys']
type Found = NonNullable<Awaited<ReturnType<Keys['lookup']>>>

/** What the WebSocket knows of a key. */
const keys = (change: (found: Found | undefined) => Found | undefined): ServiceParts => ({
  updateServer: (deps) => ({
    ...deps,
    apiKeys: { lookup: async (key) => change(await deps.apiKeys.lookup(key)) },
  }),
})

const everybody = 'everybody'

/** Every key, and every task, belongs to the same owner. */
const shared: Parts = () => ({
  updateServer: (deps) => ({
    ...deps,
    apiKeys: {
      lookup: async (key) => {
        const found = await deps.apiKeys.lookup(key)
        return found && { ...found, id: everybody }
      },
    },
    tasks: {
      ...deps.tasks,
      get: async (id) => {
        const record = await deps.tasks.get(id)
        return record && { ...record, apiKeyId: everybody }
      },
    },
  }),
})

export const connectionVariants: readonly Variant[] = [
  {
    id: 'ws.own-port',
    clauses: ['4.11-02', '6.1-01'],
    choice: 'has its WebSocket at a port and a path of its own',
    around: atOwnPort,
  },
  {
    id: 'ws.path-of-calls',
    clauses: ['4.11-02', '6.1-01'],
    choice: 'has its WebSocket at /rpc',
    around: atPathOfCalls,
  },
  {
    id: 'ws.key-in-query',
    clauses: ['4.11-03', '6.1-01'],
    choice: 'reads the key of a WebSocket from the query only',
    around: keyInQuery,
  },
  {
    id: 'ws.guests',
    clauses: ['4.11-03'],
    choice: 'opens a WebSocket for anybody, and checks the key at each subscription',
    around: forGuests,
    parts: () =>
      keys(
        (found) =>
          found ?? {
            ...{ id: guest, name: guest, permissions: ['rpc'], owners: [] },
            ...{ createdAt: new Date(0), rotatedAt: null, expiresAt: null },
          },
      ),
  },
  {
    id: 'ws.any-permission',
    clauses: ['4.11-03'],
    choice: 'opens a WebSocket for every valid key, with any permissions',
    parts: () => keys((found) => found && { ...found, permissions: ['rpc'] }),
  },
  {
    id: 'ws.any-key-follows',
    clauses: ['4.11-04'],
    choice: 'lets every key follow every task',
    parts: shared,
  },
]

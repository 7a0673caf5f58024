import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer as createListener, type Socket } from 'node:net'
import { type Chaos, type ChaosCounts, strikes } from './chaos.ts'
import { type Answered, give, injectFault } from './chaosResponse.ts'
import { methodsIn } from './jsonCalls.ts'

/** A loopback proxy between an HTTP client and its server. */
export type ChaosProxy = {
  readonly url: string
  /** `127.0.0.1:port` */
  readonly hostPort: string
  /** Sets the upstream; until then no request is answered. */
  readonly to: (upstream: string) => void
  /** Applies from the next request on; undefined removes the fault. */
  readonly set: (chaos: Chaos | undefined) => Promise<void>
  readonly counts: () => ChaosCounts
  /** Closes every connection. */
  readonly close: () => Promise<void>
}

/** Longer requests are aborted. */
const longestBody = 32 * 1024 * 1024

async function read(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > longestBody) throw new Error('the body is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The latest block of a node; undefined if the upstream is not a node. */
async function blockOf(url: URL): Promise<string> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
    signal: AbortSignal.timeout(5_000),
  })
  return String(((await answer.json()) as { result?: unknown }).result)
}

/**
 * Starts a proxy without a fault: such connections are forwarded byte by byte, at no other cost.
 */
export async function startChaosProxy(port = 0): Promise<ChaosProxy> {
  const agent = new Agent({ keepAlive: true })
  const sockets = new Set<Socket>()
  const calm = new Set<Socket>()
  const unanswered = new Set<ServerResponse>()
  const counts = new Map<string, number>()
  let upstream: URL | undefined
  let chaos: Chaos | undefined
  let nth = 0
  let block = '0x0'

  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)

  const forward = (incoming: IncomingMessage, body: Buffer): Promise<Answered> =>
    new Promise((resolve, reject) => {
      if (upstream === undefined) return reject(new Error('no upstream is set'))
      const { 'content-length': _, 'transfer-encoding': __, ...rest } = incoming.headers
      const headers = { ...rest, host: upstream.host, 'content-length': body.length }
      const options = { method: incoming.method, headers, agent }
      const outgoing = request(new URL(incoming.url ?? '/', upstream), options, (answer) => {
        const status = answer.statusCode ?? 502
        read(answer).then(
          (bytes) => resolve({ status, headers: answer.headers, body: bytes }),
          reject,
        )
      })
      outgoing.once('error', reject)
      outgoing.end(body)
    })

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await read(incoming)
    const now = chaos
    const names = [...methodsIn(body), (incoming.url ?? '').split('?')[0]!]
    const each = nth++
    if (now === undefined || !strikes(now, each, names)) {
      count('passed')
      return give(response, await forward(incoming, body))
    }
    count(now.trouble.kind)
    const ask = (asked: Buffer) => forward(incoming, asked)
    await injectFault({ chaos: now, nth: each, body, response, forward: ask, block })
  }

  const http = createServer((incoming, response) => {
    unanswered.add(response)
    response.once('close', () => unanswered.delete(response))
    handle(incoming, response).catch(() => response.destroy())
  })

  const keep = (socket: Socket, also?: Set<Socket>): void => {
    for (const set of [sockets, also]) set?.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      for (const set of [sockets, also]) set?.delete(socket)
    })
  }

  const pass = (socket: Socket): void => {
    if (upstream === undefined) {
      socket.destroy()
      return
    }
    const other = connect(Number(upstream.port || 80), upstream.hostname)
    keep(other)
    socket.once('close', () => other.destroy())
    other.once('close', () => socket.destroy())
    socket.pipe(other).pipe(socket)
  }

  const listener = createListener((socket) => {
    keep(socket, chaos === undefined ? calm : undefined)
    if (chaos === undefined) pass(socket)
    else http.emit('connection', socket)
  })
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(port, '127.0.0.1', resolve)
  })
  const hostPort = `127.0.0.1:${(listener.address() as AddressInfo).port}`

  return {
    url: `http://${hostPort}`,
    hostPort,
    to: (url) => {
      upstream = new URL(url)
    },
    set: async (next) => {
      if (next?.trouble.kind === 'stale-block' && upstream !== undefined)
        block = await blockOf(upstream)
      // A client on a plain connection would never see the fault. Clients waiting in a fault that
      // is removed are released; idle connections stay, and forward what arrives.
      if (next !== undefined) for (const socket of calm) socket.destroy()
      else for (const response of unanswered) response.destroy()
      nth = 0
      chaos = next
    },
    counts: () => Object.fromEntries(counts),
    close: async () => {
      const closed = new Promise((resolve) => listener.close(resolve))
      for (const socket of sockets) socket.destroy()
      agent.destroy()
      await closed
    },
  }
}

import { createServer, request as forward, type IncomingMessage } from 'node:http'
import { listening } from '../wire/listening.ts'

export type ReverseProxy = {
  readonly url: string
  /** Requests and upgrades forwarded so far. */
  readonly passed: () => number
  readonly close: () => Promise<void>
}

/** A plain reverse proxy for HTTP and upgrades that does not inspect content. */
export async function startReverseProxy(behind: string): Promise<ReverseProxy> {
  const { hostname, port } = new URL(behind)
  let passed = 0
  const onward = (incoming: IncomingMessage) => {
    passed++
    const { method, url: path, headers } = incoming
    const added = { ...headers, 'x-forwarded-for': incoming.socket.remoteAddress ?? '' }
    // A connection of its own: one that is kept alive may be closed at the moment it is used again.
    return forward({ hostname, port, method, path, headers: added, agent: false })
  }
  const server = createServer((incoming, outgoing) => {
    const out = onward(incoming)
    out.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    out.on('error', () => outgoing.headersSent || outgoing.writeHead(502).end())
    incoming.pipe(out)
  })
  server.on('upgrade', (incoming, socket, head) => {
    const out = onward(incoming)
    out.on('upgrade', (answer, inner, first) => {
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`)
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`)
      socket.write(first)
      inner.write(head)
      inner.pipe(socket).pipe(inner)
      socket.on('error', () => inner.destroy())
      inner.on('error', () => socket.destroy())
    })
    out.on('response', (answer) => {
      socket.end(`HTTP/1.1 ${answer.statusCode} refused\r\nconnection: close\r\n\r\n`)
    })
    out.on('error', () => socket.destroy())
    out.end()
  })
  return { ...(await listening(server)), passed: () => passed }
}

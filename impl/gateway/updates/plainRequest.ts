import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** Headers of the one hop that spoke of the upgrade. */
const hopHeaders = ['connection', 'upgrade', 'http2-settings']

/**
 * Serves a request as if it had not asked for an upgrade, which is how an upgrade is declined
 * (RFC 9110, 7.8): clients that offer HTTP/2 with every request would otherwise get no answer. Node
 * hands over every request with an `Upgrade` once somebody listens; this gives it back.
 */
export const serveAsPlainRequest = (
  server: Server,
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void => {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (!hopHeaders.includes(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[at + 1]}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
  socket.resume()
}

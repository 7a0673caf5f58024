import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

const upgradeHeaders = ['upgrade', 'http2-settings']

/** The other options of `Connection`, such as `close`. */
const withoutUpgrade = (connection: string): string =>
  connection
    .split(',')
    .map((option) => option.trim())
    .filter((option) => option !== '' && !upgradeHeaders.includes(option.toLowerCase()))
    .join(', ')

/**
 * Serves a request as if it had not requested an upgrade, which declines the upgrade (RFC 9110,
 * 7.8): clients that offer HTTP/2 with every request would otherwise get no response. Node emits
 * `upgrade` for every such request once there is a listener; this returns the request to the
 * server.
 */
export function serveAsPlainRequest(
  server: Server,
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    const header = name.toLowerCase()
    if (upgradeHeaders.includes(header)) continue
    const sent = rawHeaders[at + 1] as string
    const value = header === 'connection' ? withoutUpgrade(sent) : sent
    if (header !== 'connection' || value !== '') lines.push(`${name}: ${value}`)
  }
  // The server adds its own listeners again.
  socket.removeAllListeners('timeout')
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
  socket.resume()
}

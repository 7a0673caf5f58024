import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** What a server emits for a request: with a response, or with the bare socket. */
const requestEvents = new Set(['request', 'checkContinue', 'checkExpectation'])
const socketEvents = new Set(['upgrade', 'connect'])

const text = 'The Host header is repeated.\n'
const headers = { 'content-type': 'text/plain', 'content-length': text.length, connection: 'close' }

/**
 * Has a server answer 400 to a request with several `Host` headers (RFC 9112, 3.2), whatever listens to
 * it: Node reads the first, a proxy before it may have read another.
 */
export function refuseRepeatedHost(server: Server): void {
  const emit = server.emit.bind(server) as (event: string, ...values: unknown[]) => boolean
  server.emit = (event: string, ...values: unknown[]) => {
    const isRequest = requestEvents.has(event) || socketEvents.has(event)
    if (!isRequest || !isHostRepeated(values[0] as IncomingMessage)) return emit(event, ...values)
    if (requestEvents.has(event)) (values[1] as ServerResponse).writeHead(400, headers).end(text)
    else refuseSocket(values[1] as Duplex)
    return true
  }
}

function isHostRepeated({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

function refuseSocket(socket: Duplex): void {
  socket.on('error', () => {})
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(['HTTP/1.1 400 Bad Request', ...lines, '', text].join('\r\n'))
}

import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ServiceError } from 'polgate-protocol/serviceError.ts'
import { errorObject } from '../errors.ts'

/** Writes an HTTP response to an upgrade request and closes the connection. */
function answer(socket: Duplex, status: number, headers: Record<string, string>, body: string) {
  const all = { ...headers, connection: 'close', 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  // Does not wait for the peer to close its side.
  socket.once('finish', () => socket.destroy())
}

/** Like unknown paths (decision E10). */
export const refusePath = (socket: Duplex): void =>
  answer(socket, 404, { 'content-type': 'text/plain; charset=UTF-8' }, 'Not Found\n')

/** With the body of a JSON-RPC call with the same error (decision E8). */
export function refuseWith(socket: Duplex, status: number, error: ServiceError): void {
  const wait = error.data?.retry_after_seconds
  const body = JSON.stringify({ jsonrpc: '2.0', error: errorObject(error), id: null })
  answer(
    socket,
    status,
    {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...(wait === undefined ? {} : { 'retry-after': String(wait) }),
    },
    body,
  )
}

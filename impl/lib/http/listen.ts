import { Server } from 'node:http'
import type { AddressInfo, Server as SocketServer } from 'node:net'
import { connectionLimit } from './connectionLimit.ts'
import { refuseRepeatedHost } from './repeatedHost.ts'

/**
 * Has a server listen; by default on a free port of loopback. A request with several `Host` headers is
 * answered with 400. Without a limit of its own the server holds connections with a sixteenth of the file
 * handles of this process.
 *
 * @throws the error of the system when the port is taken
 */
export async function listen(
  server: SocketServer,
  options: { readonly port?: number | undefined; readonly host?: string | undefined } = {},
): Promise<{ readonly url: string; readonly port: number }> {
  const { port = 0, host = '127.0.0.1' } = options
  if (server instanceof Server) refuseRepeatedHost(server)
  const most = connectionLimit(1 / 16)
  // Not set: undefined, or 0 in later releases of Node.
  if (most !== undefined && !server.maxConnections) server.maxConnections = most
  await new Promise<void>((resolve, reject) => {
    // Stays: a connection that cannot be accepted, such as for want of file handles, ends nothing else.
    server.on('error', reject)
    server.listen(port, host, resolve)
  })
  const { port: taken } = server.address() as AddressInfo
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`, port: taken }
}

/**
 * Takes no new connection, lets requests under way end, then ends every connection.
 *
 * @param options `graceMs`: how long requests may take; `work`: what has to be over before that time
 *   begins, such as what the requests wait for
 */
export const drain = (
  server: Server,
  options: {
    readonly graceMs?: number | undefined
    readonly work?: Promise<unknown> | undefined
  } = {},
): Promise<void> =>
  new Promise((resolve) => {
    const { graceMs = 0, work = Promise.resolve() } = options
    // A connection that was busy when the server closed becomes idle later, and nobody ends it.
    const sweep = setInterval(() => server.closeIdleConnections(), 20)
    let force: NodeJS.Timeout | undefined
    let closed = false
    const grace = () => {
      if (!closed) force = setTimeout(() => server.closeAllConnections(), graceMs)
    }
    work.then(grace, grace)
    server.close(() => {
      closed = true
      clearInterval(sweep)
      clearTimeout(force)
      resolve()
    })
    server.closeIdleConnections()
  })

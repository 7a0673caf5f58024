import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Place = { readonly host?: string | undefined; readonly port?: number | undefined }

export type Listening = {
  readonly url: string
  readonly port: number
  /** Ends the connections that are open too. */
  readonly close: () => Promise<void>
}

/**
 * Has a server listen on loopback, at a free port unless one is given.
 *
 * @throws the error of the system when the port is taken
 */
export const listening = async (server: Server, place: Place = {}): Promise<Listening> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(place.port ?? 0, place.host ?? '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

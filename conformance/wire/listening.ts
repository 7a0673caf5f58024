import type { Server } from 'node:http'
import { listen } from 'polgate-lib/http/listen.ts'

export type Place = { readonly host?: string | undefined; readonly port?: number | undefined }

export type Listening = {
  readonly url: string
  readonly port: number
  /** Closes open connections too. */
  readonly close: () => Promise<void>
}

/**
 * Starts a server on loopback, on a free port by default.
 *
 * @throws the system's error if the port is in use
 */
export async function listening(server: Server, place: Place = {}): Promise<Listening> {
  const { port } = await listen(server, place)
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

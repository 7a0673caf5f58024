import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { drain, listen } from 'polgate-lib/http/listen.ts'
import { type Asset, createStudio, type StudioOptions } from './createStudio.ts'
import { oneTimeCodes } from './oneTimeCodes.ts'
import type { StudioTarget } from './target.ts'
import { proxyUpdates } from './updatesProxy.ts'

export type Studio = {
  /** The address to open, with the token in its fragment, which browsers never send. */
  readonly url: string
  readonly port: number
  /** An address without the token, which leads to the page once, within a minute. */
  oneTimeUrl(): string
  close(): Promise<void>
}

/**
 * Serves Studio on loopback.
 *
 * @param options `port`: 0 for a free one
 * @throws the error of the system when the port is taken
 */
export async function serveStudio(options: {
  readonly target: StudioTarget
  /** Called when the first file is requested, so that a start does not wait for it. */
  readonly loadAssets: () => Promise<ReadonlyMap<string, Asset>>
  readonly port: number
}): Promise<Studio> {
  let port = options.port
  let loading: Promise<ReadonlyMap<string, Asset>> | undefined
  const codes = oneTimeCodes()
  const studio: StudioOptions = {
    target: options.target,
    assets: () => {
      loading ??= options.loadAssets().catch((error: unknown) => {
        loading = undefined
        throw error
      })
      return loading
    },
    token: randomBytes(24).toString('base64url'),
    useCode: codes.use,
    port: () => port,
  }
  const server = createAdaptorServer({ fetch: createStudio(studio).fetch }) as Server
  const updates = proxyUpdates(server, studio)
  const listening = await listen(server, { port, host: '127.0.0.1' })
  port = listening.port
  return {
    url: `${listening.url}/#token=${studio.token}`,
    port,
    oneTimeUrl: () => `${listening.url}/open?code=${codes.create()}`,
    async close() {
      updates.close()
      await drain(server)
    },
  }
}

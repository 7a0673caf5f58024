import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import { type StudioOptions, socketKey } from './createStudio.ts'
import { foreignPage } from './guard.ts'

const maxMessage = 1024 * 1024
/** Bytes that may wait for a page that does not read. */
const maxBuffered = 8 * 1024 * 1024

/** Passes the page's WebSocket `/api/updates` on to the gateway, with the key of the target. */
export function proxyUpdates(server: Server, options: StudioOptions): { close(): void } {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessage })
  const refuse = (socket: Duplex, status: string) => {
    socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
  }

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { host, origin } = request.headers
    const site = request.headers['sec-fetch-site'] as string | undefined
    const url = new URL(request.url ?? '/', 'http://studio')
    if (foreignPage({ host, origin, site }, options.port()) !== undefined)
      return refuse(socket, '403 Forbidden')
    if (url.pathname !== '/api/updates') return refuse(socket, '404 Not Found')
    const key = socketKey(options, url.searchParams.get('api_key'))
    if (key === undefined) return refuse(socket, '401 Unauthorized')
    sockets.handleUpgrade(request, socket, head, (page) => connect(page, key))
  })

  function connect(page: WebSocket, key: string): void {
    const gateway = new WebSocket(`${options.target.gatewayUrl.replace(/^http/, 'ws')}/ws`, {
      headers: { authorization: `Bearer ${key}` },
      maxPayload: maxMessage,
    })
    const waiting: string[] = []
    page.on('message', (data) => {
      const text = String(data)
      if (gateway.readyState === WebSocket.OPEN) gateway.send(text)
      else if (waiting.length < 100) waiting.push(text)
    })
    gateway.on('open', () => {
      for (const text of waiting.splice(0)) gateway.send(text)
    })
    gateway.on('message', (data) => {
      if (page.bufferedAmount > maxBuffered) page.terminate()
      else page.send(String(data))
    })
    const end = () => {
      page.close(1012)
      gateway.close()
    }
    for (const each of [page, gateway]) {
      each.on('close', end)
      each.on('error', end)
    }
  }

  return {
    close() {
      for (const page of sockets.clients) page.terminate()
      sockets.close()
    },
  }
}

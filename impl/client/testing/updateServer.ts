import { createServer, type IncomingMessage } from 'node:http'
import { drain, listen } from 'polgate-lib/http/listen.ts'
import { type WebSocket, WebSocketServer } from 'ws'

export type UpdateConnection = {
  readonly request: IncomingMessage
  send(message: unknown): void
  sendText(text: string): void
  /** Ends without a close frame. */
  drop(): void
  close(code: number): void
}

export type Script = {
  /** Called with the parsed `subscribe` message. */
  readonly subscribe: (
    connection: UpdateConnection,
    message: { readonly id: string; readonly method: string },
  ) => void
  /** Status of a refused handshake; default: accepted. */
  readonly refuse?:
    | (() => { status: number; headers?: Record<string, string> } | undefined)
    | undefined
}

/** A WebSocket server on loopback that does what a test says. */
export async function startUpdateServer(script: Script) {
  const sockets = new Set<WebSocket>()
  const requests: IncomingMessage[] = []
  const handshakes = new WebSocketServer({ noServer: true })
  const server = createServer()
  server.on('upgrade', (request, socket, head) => {
    requests.push(request)
    const refusal = script.refuse?.()
    if (refusal !== undefined) {
      const headers = Object.entries(refusal.headers ?? {}).map(
        ([name, value]) => `${name}: ${value}\r\n`,
      )
      socket.end(`HTTP/1.1 ${refusal.status} No\r\n${headers.join('')}content-length: 0\r\n\r\n`)
      return
    }
    handshakes.handleUpgrade(request, socket, head, (webSocket) => {
      sockets.add(webSocket)
      webSocket.on('close', () => sockets.delete(webSocket))
      const connection: UpdateConnection = {
        request,
        send: (message) => webSocket.send(JSON.stringify(message)),
        sendText: (text) => webSocket.send(text),
        drop: () => webSocket.terminate(),
        close: (code) => webSocket.close(code),
      }
      webSocket.on('message', (data) => script.subscribe(connection, JSON.parse(String(data))))
    })
  })
  const { url } = await listen(server)
  return {
    url,
    requests,
    open: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.terminate()
      await drain(server)
    },
  }
}

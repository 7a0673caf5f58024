import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { drain, listen } from 'polgate-lib/http/listen.ts'

/** One received POST request. */
export type Received = {
  readonly at: number
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** A status · no response · a connection reset · a custom response. */
export type Reply = number | 'hang' | 'reset' | ((response: ServerResponse) => void)

export type Receiver = {
  readonly url: string
  readonly received: Received[]
  /** Number of open connections. */
  open(): number
  /** Sets the responses to further requests, in order; the last one repeats. */
  reply(...replies: Reply[]): void
  close(): Promise<void>
}

/** A real receiver on loopback that records raw bytes and times. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = []
  let replies: Reply[] = [200]
  const sockets = new Set<object>()
  const server = createServer((request, response) => {
    const at = Date.now()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => {})
    request.on('end', () => {
      received.push({
        at,
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks),
      })
      const reply = (replies.length > 1 ? replies.shift() : replies[0]) ?? 200
      if (reply === 'hang') return
      if (reply === 'reset') request.socket.resetAndDestroy()
      else if (typeof reply === 'number') response.writeHead(reply).end()
      else reply(response)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const { url } = await listen(server, { port })
  return {
    url,
    received,
    open: () => sockets.size,
    reply(...next) {
      replies = next
    },
    close: () => drain(server),
  }
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { drain, listen } from 'polgate-lib/http/listen.ts'

/** One POST as it came over the wire. */
export type Received = {
  readonly at: number
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** A status · no answer · a broken connection · whatever the function does. */
export type Reply = number | 'hang' | 'reset' | ((response: ServerResponse) => void)

export type Receiver = {
  readonly url: string
  readonly received: Received[]
  /** Connections that are open now. */
  open(): number
  /** The answers to what comes from now on, in order; the last one to all the rest. */
  reply(...replies: Reply[]): void
  close(): Promise<void>
}

/** A real receiver on loopback that keeps raw bytes and times. */
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

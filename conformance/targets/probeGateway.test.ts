import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { probeGateway } from './probeGateway.ts'

let close: (() => Promise<void>) | undefined
afterEach(() => close?.())

/** A gateway whose answer to an upgrade is given. */
async function gateway(upgrade: (socket: Socket, key: string) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 'init',
        result: { methods: [{ name: 'svc_createTask' }] },
      }),
    )
  })
  server.on('connection', (socket) => sockets.add(socket))
  server.on('upgrade', (request, socket) =>
    upgrade(socket as Socket, request.headers['sec-websocket-key'] ?? ''),
  )
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  close = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((done) => server.close(done))
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const answer = (status: string) => (socket: Socket) => {
  socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
}
const accepted = (key: string) =>
  createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')

describe('a WebSocket is found', () => {
  test('after a handshake', async () => {
    const url = await gateway((socket, key) => {
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accepted(key)}\r\n\r\n`,
      )
      socket.once('data', () => socket.end())
    })
    const { updatesUrl, notes } = await probeGateway(url, { env: {}, fetch })
    expect(updatesUrl).toBe(`${url.replace('http', 'ws')}/ws`)
    expect(notes).toContain(`WebSocket at ${updatesUrl}`)
  })

  test.each([
    { status: '200 OK', says: 'HTTP 200 instead of a handshake' },
    { status: '404 Not Found', says: 'HTTP 404 instead of a handshake' },
    { status: '405 Method Not Allowed', says: 'HTTP 405 instead of a handshake' },
    { status: '502 Bad Gateway', says: 'HTTP 502 instead of a handshake' },
    { status: '401 Unauthorized', says: 'HTTP 401; set SVC_KEY_READ and run init again' },
  ])('not where the answer is $status', async ({ status, says }) => {
    const { updatesUrl, notes } = await probeGateway(await gateway(answer(status)), {
      env: {},
      fetch,
    })
    expect(updatesUrl).toBeUndefined()
    expect(notes.join('\n')).toContain(says)
  })

  test('not where the key is refused: the note says what else to do', async () => {
    const env = { SVC_KEY_READ: 'a-key-that-is-not-shown' }
    const { updatesUrl, notes } = await probeGateway(await gateway(answer('403 Forbidden')), {
      env,
      fetch,
    })
    expect(updatesUrl).toBeUndefined()
    expect(notes.join('\n')).toContain('HTTP 403 with this key; enter updatesUrl')
    expect(notes.join('\n')).not.toContain(env.SVC_KEY_READ)
  })

  test('not for a 101 that is no handshake, nor a connection that is cut', async () => {
    const wrong = await gateway((socket) => {
      socket.end(
        'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: d3Jvbmc=\r\n\r\n',
      )
    })
    expect((await probeGateway(wrong, { env: {}, fetch })).updatesUrl).toBeUndefined()
    await close?.()
    const cut = await gateway((socket) => socket.destroy())
    expect((await probeGateway(cut, { env: {}, fetch })).updatesUrl).toBeUndefined()
  })
})

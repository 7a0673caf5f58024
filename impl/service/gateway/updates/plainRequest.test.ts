import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openUpdateServer, type TestUpdateServer } from './updateServer.fixture.ts'

let server: TestUpdateServer
beforeAll(async () => {
  server = await openUpdateServer()
})
afterAll(() => server.close())

const open = (): Socket => connect(server.listener.port, '127.0.0.1')

/** The received text, once it matches the pattern or the connection has ended. */
const until = (socket: Socket, pattern: RegExp) =>
  new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += String(chunk)
      if (pattern.test(text)) resolve(text)
    })
    socket.once('close', () => resolve(text))
  })

const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'

describe('a request that offers another protocol', () => {
  it('is served as a plain request, including a body in chunks', async () => {
    const socket = open()
    const answer = until(socket, /rpc 0123456789/)
    socket.write(`POST /rpc HTTP/1.1\r\nHost: x\r\n${offer}Content-Length: 10\r\n\r\n01234`)
    setTimeout(() => socket.write('56789'), 50)
    expect(await answer).toMatch(/^HTTP\/1.1 200 /)
    socket.destroy()
  })

  it('may be repeated on one connection', async () => {
    const warnings: Error[] = []
    const warn = (warning: Error) => void warnings.push(warning)
    process.on('warning', warn)
    const socket = open()
    for (let count = 0; count < 30; count++) {
      const answer = until(socket, new RegExp(`rpc ${count + 10}`))
      socket.write(
        `POST /rpc HTTP/1.1\r\nHost: x\r\n${offer}Content-Length: 2\r\n\r\n${count + 10}`,
      )
      expect(await answer).toMatch(/^HTTP\/1.1 200 /)
      socket.removeAllListeners('data')
      socket.removeAllListeners('close')
    }
    socket.destroy()
    await new Promise((done) => setTimeout(done, 20))
    process.off('warning', warn)
    expect(warnings).toEqual([])
  })

  it('keeps its other Connection options', async () => {
    const socket = open()
    const answer = until(socket, /never/)
    socket.write(
      'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: close, Upgrade\r\nUpgrade: h2c\r\n\r\n',
    )
    // Passes only if the server closes the connection.
    expect(await answer).toMatch(/^HTTP\/1.1 404 (.|\r\n)*connection: close/i)
  })
})

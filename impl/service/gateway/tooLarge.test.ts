import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openTestGateway, type TestGateway } from './gateway.fixture.ts'
import { defaultLimits } from './gateway.ts'
import { serve } from './serve.ts'

const limit = defaultLimits.bodyBytes
let gateway: TestGateway
beforeAll(async () => {
  gateway = await openTestGateway()
})
afterAll(() => gateway.close())

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const part of open.splice(0)) await part.close()
})

/** A separate listener for each test. */
async function start() {
  const { fetch } = gateway.app
  const listener = await serve({
    fetch,
    port: 0,
    hostname: '127.0.0.1',
    bodyBytes: limit,
    graceMilliseconds: 100,
  })
  open.push(listener)
  return { port: listener.port, key: gateway.keys.rpc }
}

type Sent = {
  /** The response so far, once it contains `until` or the connection has ended. */
  readonly text: string
  readonly bytes: number
}

/** Sends a head and as much of a body as the server accepts, while reading. */
function send(
  port: number,
  head: readonly string[],
  bodyBytes: number,
  until: string,
): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    let bytes = 0
    const end = () => {
      socket.destroy()
      resolve({ text, bytes })
    }
    const piece = Buffer.alloc(64 * 1024, ' ')
    const write = () => {
      while (bytes < bodyBytes) {
        bytes += piece.length
        if (!socket.write(piece)) return void socket.once('drain', write)
      }
    }
    socket.on('data', (data) => {
      text += data.toString()
      if (text.includes(until)) end()
    })
    socket.on('end', end)
    socket.on('error', reject)
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    write()
  })
}

const head = (key: string, ...more: string[]) => [
  'POST /rpc HTTP/1.1',
  'Host: gateway',
  `Authorization: Bearer ${key}`,
  ...more,
]
const refusal = '"id":null}'

describe('a body that is too large is answered with 413 (decision E9)', () => {
  it.each([limit + 1, 3 * limit, 100 * limit, 1e15])(
    'when %i bytes are declared, before any is sent',
    async (declared) => {
      const { port, key } = await start()
      const { text } = await send(port, head(key, `Content-Length: ${declared}`), 0, refusal)
      expect(text).toMatch(/^HTTP\/1\.1 413 /)
      expect(text).toMatch(/\r\ncontent-type: application\/json\r\n/i)
      expect(text).toContain('"code":-32600')
    },
  )

  it.each([2 * limit, 10 * limit])(
    'and a client that sends all of %i bytes before reading still gets the response',
    async (declared) => {
      const { port, key } = await start()
      const lines = head(key, `Content-Length: ${declared}`)
      const { text, bytes } = await sendThenRead(port, lines, declared)
      expect(bytes).toBe(declared)
      expect(text).toMatch(/^HTTP\/1\.1 413 /)
      expect(text.endsWith(refusal)).toBe(true)
    },
  )

  it('without 100 Continue, if the client waits for it', async () => {
    const { port, key } = await start()
    const lines = head(key, `Content-Length: ${2 * limit}`, 'Expect: 100-continue')
    const { text } = await send(port, lines, 0, refusal)
    expect(text).toMatch(/^HTTP\/1\.1 413 /)
    expect(text).not.toContain('100 Continue')
  })

  it('and a body within the limit gets 100 Continue', async () => {
    const { port, key } = await start()
    const lines = head(key, 'Content-Length: 64', 'Expect: 100-continue')
    const { text } = await send(port, lines, 0, '\r\n\r\n')
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n/)
  })

  it('but a client without a key gets 401', async () => {
    const { port } = await start()
    const { text } = await send(port, head('none', `Content-Length: ${2 * limit}`), 0, refusal)
    expect(text).toMatch(/^HTTP\/1\.1 401 /)
  })
})

/** Like a simple client: reads the response after everything is sent. */
function sendThenRead(port: number, lines: readonly string[], size: number): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.pause()
    socket.on('error', reject)
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    let bytes = 0
    const write = () => {
      while (bytes < size) {
        const piece = Buffer.alloc(Math.min(64 * 1024, size - bytes), ' ')
        bytes += piece.length
        if (!socket.write(piece)) return void socket.once('drain', write)
      }
      let text = ''
      socket.on('data', (data) => {
        text += data.toString()
      })
      socket.on('end', () => {
        socket.destroy()
        resolve({ text, bytes })
      })
      socket.resume()
    }
    write()
  })
}

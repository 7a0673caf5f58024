import { createServer } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { drain, listen } from './listen.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

async function start(withUpgrades = false): Promise<number> {
  const server = createServer((request, response) => response.end(String(request.url)))
  if (withUpgrades) server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 101 Upgraded\r\n\r\n'))
  const { port } = await listen(server)
  open.push(() => drain(server))
  return port
}

/** The first line of what the server answers to these lines. */
function answerTo(port: number, lines: readonly string[], body = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text.split('\r\n', 1)[0]!))
    socket.write([...lines, '', body].join('\r\n'))
  })
}

const head = ['POST / HTTP/1.1', 'Host: a', 'Connection: close']
const rows: readonly (readonly [string, readonly string[], string, string])[] = [
  ['one Host', [...head, 'Content-Length: 2'], 'ok', 'HTTP/1.1 200 OK'],
  ['two Host headers', [...head, 'Host: b'], '', 'HTTP/1.1 400 Bad Request'],
  ['the same Host twice', [...head, 'hOST: a'], '', 'HTTP/1.1 400 Bad Request'],
  ['no Host', ['GET / HTTP/1.1', 'Connection: close'], '', 'HTTP/1.1 400 Bad Request'],
  // By Node's parser.
  [
    'two lengths',
    [...head, 'Content-Length: 2', 'Content-Length: 2'],
    'ok',
    'HTTP/1.1 400 Bad Request',
  ],
  [
    'two different lengths',
    [...head, 'Content-Length: 2', 'Content-Length: 3'],
    'ok',
    'HTTP/1.1 400 Bad Request',
  ],
  [
    'a length and chunks',
    [...head, 'Content-Length: 2', 'Transfer-Encoding: chunked'],
    '0\r\n\r\n',
    'HTTP/1.1 400 Bad Request',
  ],
  [
    'chunks and a length',
    [...head, 'Transfer-Encoding: chunked', 'Content-Length: 2'],
    '0\r\n\r\n',
    'HTTP/1.1 400 Bad Request',
  ],
]

it.each(rows)('answers to %s', async (_, lines, body, expected) => {
  expect(await answerTo(await start(), lines, body)).toBe(expected)
})

const upgrade = ['GET /ws HTTP/1.1', 'Host: a', 'Connection: Upgrade', 'Upgrade: websocket']

it('answers 400 to an upgrade with two Host headers', async () => {
  const port = await start(true)
  expect(await answerTo(port, upgrade)).toBe('HTTP/1.1 101 Upgraded')
  expect(await answerTo(port, [...upgrade, 'Host: b'])).toBe('HTTP/1.1 400 Bad Request')
})

it('answers 400 before a body with two Host headers is asked for', async () => {
  const server = createServer((_, response) => response.end())
  server.on('checkContinue', (_, response) => response.writeContinue())
  const { port } = await listen(server)
  open.push(() => drain(server))
  const lines = [...head, 'Host: b', 'Content-Length: 2', 'Expect: 100-continue']
  expect(await answerTo(port, lines)).toBe('HTTP/1.1 400 Bad Request')
})

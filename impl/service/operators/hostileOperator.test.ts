import { createServer, type Server, type Socket } from 'node:net'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { type ConnectionBounds, operatorConnection } from './operatorConnection.ts'
import { serveOperator } from './operatorServer.ts'
import { parseSignature, partsOf, signResponse } from './operatorSignature.ts'
import { never, operatorThat, quick, sharedToken } from './testing/echoOperator.ts'

const cleanup = createCleanupStack()
afterEach(cleanup.close)

/** Runs `answer` for each request, once its headers and body have arrived. */
async function listen(
  answer: (socket: Socket, request: string) => void,
): Promise<{ url: string; sockets: Socket[]; server: Server }> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.once('data', (chunk) => answer(socket, chunk.toString('latin1')))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanup.defer(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}`, sockets, server }
}

const { address, id } = operatorThat()

function connected(url: string, bounds: Partial<ConnectionBounds> = {}) {
  const connection = operatorConnection({
    ...{ url, token: sharedToken, address, id, clock: Date.now },
    bounds: { probeMs: 300, probeEveryMs: 50, connectMs: 300, ...bounds },
  })
  cleanup.defer(() => connection.close())
  const call = (timeoutMs = 300) => connection.call('/v1/data', quick, { signal: never, timeoutMs })
  return { ...connection, call }
}

const head = (status: string, ...headers: string[]) =>
  `HTTP/1.1 ${status}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`
const json = 'content-type: application/json'
function drip(socket: Socket, bytes: string) {
  const timer = setInterval(() => socket.writable && socket.write(bytes), 20)
  socket.on('close', () => clearInterval(timer))
}

/** A correctly signed answer to a different request. */
function signedAnswer(
  request: string,
  change: { readonly nonce?: string; readonly body?: string; readonly secret?: string },
): string {
  const [top = '', sent = ''] = request.split('\r\n\r\n')
  const headers = Object.fromEntries(
    top
      .split('\r\n')
      .slice(1)
      .map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 2),
      ]),
  )
  const signature = parseSignature(headers)!
  const body = change.body ?? JSON.stringify({ answer: { address, id } })
  const asked = partsOf('POST', '/v1/identity', 'application/json', sent)
  const { contentType, contentDigest } = partsOf('', '', 'application/json', body)
  const signed = signResponse(
    change.secret ?? sharedToken,
    { status: 200, contentType, contentDigest, request: asked },
    { created: signature.created, nonce: change.nonce ?? signature.nonce, keyid: address },
  )
  const lines = Object.entries(signed).map(([name, value]) => `${name}: ${value}`)
  return head('200 OK', ...lines, `content-length: ${body.length}`) + body
}

describe('a server in place of an operator', () => {
  it.each<[string, string, (socket: Socket, request: string) => void]>([
    ['never answers', 'no answer within 0.3 s', () => {}],
    [
      'sends headers a line at a time',
      'no answer within 0.3 s',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        drip(socket, 'x-more: 1\r\n')
      },
    ],
    [
      'sends a body a byte at a time',
      'its answer did not end within 0.3 s',
      (socket) => {
        socket.write(head('200 OK', json, 'content-length: 9999'))
        drip(socket, ' ')
      },
    ],
    [
      'sends endless headers',
      'its headers are too large',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        drip(socket, `x-more: ${'x'.repeat(8_000)}\r\n`)
      },
    ],
    [
      'announces 100 MB',
      'its answer is too large',
      (socket) => socket.write(head('200 OK', json, `content-length: ${100 * 1024 * 1024}`)),
    ],
    [
      'uses another protocol',
      'its answer is not HTTP',
      (socket) => socket.write('220 mail ESMTP\r\n'),
    ],
    [
      'closes before it answers',
      'it closed the connection without an answer',
      (socket) => socket.destroy(),
    ],
    [
      'closes in the middle of its answer',
      'its answer was cut off',
      (socket) => socket.end(`${head('200 OK', json, 'content-length: 99')}{"answ`),
    ],
    [
      'is an unrelated web page',
      'its answer is not signed',
      (socket) => socket.end(`${head('200 OK', 'content-type: text/html', 'content-length: 2')}hi`),
    ],
    [
      'is a proxy without an operator',
      'HTTP 502',
      (socket) => socket.end(head('502 Bad Gateway', 'content-length: 0')),
    ],
    [
      'redirects',
      'HTTP 302',
      (socket) =>
        socket.end(head('302 Found', 'location: http://127.0.0.1:1/', 'content-length: 0')),
    ],
    [
      'rejects without a known reason',
      'HTTP 401',
      (socket) => socket.end(`${head('401 No', json, 'content-length: 18')}{"error":"<html>"}`),
    ],
    [
      'signs with another secret',
      'its answer is not signed with the shared secret',
      (socket, request) => socket.end(signedAnswer(request, { secret: 'another-secret' })),
    ],
    [
      'answers another request',
      'its answer is for another request',
      (socket, request) => socket.end(signedAnswer(request, { nonce: 'n'.repeat(24) })),
    ],
    [
      'modifies an answer in transit',
      'its answer does not match its signed digest',
      (socket, request) =>
        socket.end(signedAnswer(request, {}).replace(id, `0x${'02'.repeat(32)}`)),
    ],
    [
      'signs garbage',
      'its answer is not a JSON object',
      (socket, request) => socket.end(signedAnswer(request, { body: '{"answer":' })),
    ],
    [
      'signs nothing',
      'its answer is not a JSON object',
      (socket, request) => socket.end(signedAnswer(request, { body: 'null' })),
    ],
    [
      'signs another identity',
      'operator none answers instead',
      (socket, request) => socket.end(signedAnswer(request, { body: '{"answer":7}' })),
    ],
    [
      'signs an invalid error',
      'operator failed',
      (socket, request) => socket.end(signedAnswer(request, { body: '{"error":{"message":7}}' })),
    ],
  ])('%s: %s', async (_, text, answer) => {
    const { url, sockets } = await listen(answer)
    const error = await connected(url)
      .call()
      .then(
        () => undefined,
        (reason) => reason,
      )
    expect(error.message).toMatch(
      new RegExp(`^(operator unreachable: )?${text.replaceAll('.', '\\.')}$`),
    )
    expect(error.retryable).toBe(text !== 'operator none answers instead')
    await expect.poll(() => sockets[0]?.destroyed).toBe(true)
  })

  it('sends 100 MB without a length: its answer is too large', async () => {
    const { url, sockets } = await listen((socket) => {
      socket.write(head('200 OK', json, 'connection: close'))
      const more = Buffer.alloc(1024 * 1024, 32)
      const push = () => socket.writable && socket.write(more, push)
      push()
    })
    // As long as a busy machine takes for the first 8 MB.
    await expect(connected(url).call(10_000)).rejects.toThrow('its answer is too large')
    await expect.poll(() => sockets[0]?.destroyed).toBe(true)
  })

  it('does not receive the secret', async () => {
    let seen = ''
    const { url } = await listen((socket, request) => {
      seen += request
      socket.destroy()
    })
    await connected(url)
      .call()
      .catch(() => {})
    expect(seen).toContain('signature-input: sig=')
    expect(seen).not.toContain(sharedToken)
    expect(seen).not.toContain(Buffer.from(sharedToken).toString('base64'))
  })

  it('refuses connections', async () => {
    const { url, server } = await listen(() => {})
    await new Promise((resolve) => server.close(resolve))
    await expect(connected(url).call()).rejects.toThrow('operator unreachable: connection refused')
  })

  it('has an unknown host name', async () => {
    await expect(connected('http://operator.invalid:9101').call(5_000)).rejects.toThrow(
      'operator unreachable: unknown host name',
    )
  })
})

describe('an operator that hangs', () => {
  it('delays no further call, and is detected when it is back', async () => {
    let hangs = false
    const operator = operatorThat({ collectData: async () => ({ outputs: [], timings: {} }) })
    const real = await serveOperator({ operator, token: sharedToken, clock: Date.now })
    cleanup.defer(() => real.close())
    const { url } = await listen((socket, request) => {
      if (hangs) return
      const [top = '', body = ''] = request.split('\r\n\r\n')
      const path = top.split(' ')[1]!
      const names = ['content-type', 'content-digest', 'signature-input', 'signature']
      const headers = Object.fromEntries(
        names.map((name) => [name, new RegExp(`^${name}: (.*)$`, 'm').exec(top)![1]!.trim()]),
      )
      void fetch(`${real.url}${path}`, { method: 'POST', headers, body }).then(async (response) => {
        const text = await response.text()
        const lines = [...response.headers].filter(([name]) => names.includes(name))
        const told = lines.map(([name, value]) => `${name}: ${value}`)
        socket.end(
          head('200 OK', ...told, `content-length: ${text.length}`, 'connection: close') + text,
        )
      })
    })
    const { call } = connected(url, { probeMs: 600 })
    expect(await call(2_000)).toMatchObject({ answer: { outputs: [] } })
    hangs = true
    await expect(call(600)).rejects.toThrow('no answer within 0.6 s')
    const quickly = 'no answer for a while; waiting for a successful probe'
    await expect
      .poll(() => call(600).catch((error) => error.message), { timeout: 10_000 })
      .toContain(quickly)
    const begin = performance.now()
    for (let at = 0; at < 100; at++) await expect(call(600)).rejects.toThrow(quickly)
    expect(performance.now() - begin).toBeLessThan(5_000)
    hangs = false
    await expect
      .poll(() => call(2_000).catch((error) => error.message), { timeout: 10_000 })
      .toMatchObject({ answer: { outputs: [] } })
  })
})

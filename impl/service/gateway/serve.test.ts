import { connect } from 'node:net'
import { type Context, Hono } from 'hono'
import { afterEach, describe, expect, it } from 'vitest'
import { openTestGateway } from './gateway.fixture.ts'
import { defaultLimits } from './gateway.ts'
import { type Listener, serve } from './serve.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const part of open.splice(0)) await part.close()
})

async function start(app: Pick<Hono, 'fetch'>, graceMilliseconds = 200): Promise<Listener> {
  const listener = await serve({
    fetch: app.fetch,
    port: 0,
    hostname: '127.0.0.1',
    graceMilliseconds,
  })
  open.push(listener)
  return listener
}

/** An app, and a promise for its first request. */
function entering(handler: (c: Context) => Promise<Response>) {
  let resolve = () => {}
  const entered = new Promise<void>((done) => {
    resolve = done
  })
  const app = new Hono().get('/', (c) => {
    resolve()
    return handler(c)
  })
  return { app, entered }
}

describe('serve', () => {
  it('serves on the reported port', async () => {
    const { url } = await start(new Hono().get('/', (c) => c.text('here')))
    expect(await (await fetch(url)).text()).toBe('here')
  })

  it('rejects a port in use', async () => {
    const { port } = await start(new Hono())
    await expect(
      serve({ fetch: new Hono().fetch, port, hostname: '127.0.0.1' }),
    ).rejects.toMatchObject({
      code: 'EADDRINUSE',
    })
  })

  it('completes a request in flight before it closes', async () => {
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const { app, entered } = entering((c) => gate.then(() => c.text('done')))
    const listener = await start(app, 60_000)
    const answer = fetch(listener.url)
    await entered
    const began = performance.now()
    const closed = listener.close()
    release()
    expect(await (await answer).text()).toBe('done')
    await closed
    expect(performance.now() - began).toBeLessThan(30_000)
    await expect(fetch(listener.url)).rejects.toThrow()
  })

  it('ends hanging requests and idle connections after the grace period', async () => {
    const { app, entered } = entering(() => new Promise<Response>(() => {}))
    const listener = await start(app, 100)
    const idle = connect(listener.port, '127.0.0.1')
    await new Promise<void>((resolve) => idle.once('connect', resolve))
    const answer = fetch(listener.url).catch(() => 'ended')
    await entered
    const began = performance.now()
    await listener.close()
    // Nothing else would end them.
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(await answer).toBe('ended')
    idle.destroy()
  })
})

describe('a local-only listener', () => {
  const ask = (port: number, ...lines: string[]) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      let text = ''
      socket.on('data', (data) => {
        text += data.toString()
      })
      socket.on('end', () => resolve(text.slice(0, text.indexOf('\r\n'))))
      socket.on('error', reject)
      socket.write(['GET / HTTP/1.1', ...lines, 'Connection: close', '', ''].join('\r\n'))
    })

  it('serves programs, and no pages in a browser', async () => {
    const app = new Hono().get('/', (c) => c.text('here'))
    const options = { fetch: app.fetch, port: 0, hostname: '127.0.0.1', localOnly: true }
    const listener = await serve(options)
    open.push(listener)
    const { port } = listener
    for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
      expect(await ask(port, `Host: ${name}:${port}`)).toContain('200')
      expect(await ask(port, `Host: ${name}:${port}`, 'Origin: http://evil.example')).toContain(
        '403',
      )
    }
    // A name that an attacker resolves to 127.0.0.1 (DNS rebinding).
    for (const host of ['evil.example', `evil.example:${port}`, `127.0.0.1:${port + 1}`]) {
      expect(await ask(port, `Host: ${host}`)).toContain('403')
    }
  })
})

describe('gateway on a socket', () => {
  it('responds 413 to an endless chunked body, and continues to serve', async () => {
    const gateway = await openTestGateway()
    open.push(gateway)
    const { url } = await start(gateway.app)
    const headers = { authorization: `Bearer ${gateway.keys.rpc}` }
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536
        if (sent > 20 * defaultLimits.bodyBytes) return controller.close()
        controller.enqueue(new Uint8Array(65_536).fill(0x20))
      },
    })
    const init = { method: 'POST', headers, body: endless, duplex: 'half' } as RequestInit
    expect((await fetch(`${url}/rpc`, init)).status).toBe(413)
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'svc_getSecretsPublicKey', id: 'x' })
    const next = await fetch(`${url}/rpc`, { method: 'POST', headers, body })
    expect(await next.json()).toMatchObject({ result: { key_type: 'x25519' } })
  })

  it('survives a client that disconnects while sending its body', async () => {
    const gateway = await openTestGateway()
    open.push(gateway)
    const { url, port } = await start(gateway.app)
    const socket = connect(port, '127.0.0.1')
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
    socket.write(
      `POST /rpc HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${gateway.keys.rpc}\r\ncontent-length: 100\r\n\r\n{"`,
    )
    await new Promise((done) => setTimeout(done, 50))
    socket.destroy()
    await new Promise((done) => setTimeout(done, 50))
    expect((await fetch(url)).status).toBe(404)
    expect(gateway.log.join('')).not.toContain('internal error')
  })
})

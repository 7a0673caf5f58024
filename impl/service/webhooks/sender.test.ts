import nock from 'nock'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Lookup } from '../net/guardedLookup.ts'
import { type Receiver, startReceiver } from './receiver.fixture.ts'
import { createSender, failureText, type Send } from './sender.ts'
import type { Target } from './target.ts'

const post = (send: Send, target: Target, timeoutMs = 10_000) =>
  send({
    target,
    attempt: 1,
    headers: { 'X-Idempotency-Key': 'id' },
    body: Buffer.from('{"a":1}'),
    signal: AbortSignal.timeout(timeoutMs),
  })

const textOf = (work: Promise<unknown>) => work.then(() => 'answered', failureText)

describe('a receiver on this machine', () => {
  let receiver: Receiver
  const send = createSender()
  const here = (path = '/'): Target => ({ url: new URL(path, receiver.url), loopback: true })
  beforeEach(async () => {
    receiver = await startReceiver()
  })
  afterEach(() => receiver.close())

  it('returns a status', async () => {
    receiver.reply(202)
    expect(await post(send, here('/a?b=c'))).toEqual({ status: 202, retryAfter: undefined })
    expect(receiver.received[0]).toMatchObject({ path: '/a?b=c' })
    expect(receiver.received[0]!.body.toString()).toBe('{"a":1}')
    expect(receiver.received[0]!.headers['transfer-encoding']).toBeUndefined()
  })

  it('that does not respond is aborted at the timeout, and its connection is closed', async () => {
    receiver.reply('hang')
    await expect(post(send, here(), 100)).rejects.toThrow()
    await expect.poll(() => receiver.open()).toBe(0)
  })

  it('that sends headers slowly is aborted at the timeout, which covers the whole exchange', async () => {
    receiver.reply((response) => {
      const drip = setInterval(() => response.socket?.write('x-drip: 1\r\n'), 20)
      response.socket?.write('HTTP/1.1 200 OK\r\n')
      response.on('close', () => clearInterval(drip))
    })
    await expect(post(send, here(), 300)).rejects.toThrow()
    await expect.poll(() => receiver.open()).toBe(0)
  })

  it('that has sent its status and sends the body slowly counts as responded', async () => {
    receiver.reply((response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(drip))
    })
    expect(await post(send, here(), 1_000)).toMatchObject({ status: 200 })
    await expect.poll(() => receiver.open()).toBe(0)
  })

  it('that sends an endless body is not read to the end', async () => {
    let sent = 0
    receiver.reply((response) => {
      response.writeHead(500)
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536
      }
      response.on('drain', more)
      more()
    })
    expect(await post(send, here())).toMatchObject({ status: 500 })
    await expect.poll(() => receiver.open()).toBe(0)
    // The content of buffers in between, and no more.
    expect(sent).toBeLessThan(32 * 2 ** 20)
  })

  it('that closes, resets or is not there is reported by its code', async () => {
    receiver.reply('reset')
    expect(await textOf(post(send, here()))).toBe('no answer: ECONNRESET')
    receiver.reply((response) => void response.socket?.end('nonsense\r\n\r\n'))
    expect(await textOf(post(send, here()))).toMatch(/^no answer: HPE_/)
    const target = here()
    await receiver.close()
    expect(await textOf(post(send, target))).toBe('no answer: ECONNREFUSED')
    receiver = await startReceiver()
  })

  it('gets a new connection each time', async () => {
    const ports = new Set<number | undefined>()
    receiver.reply((response) => {
      ports.add(response.socket?.remotePort)
      response.writeHead(200).end()
    })
    for (let n = 0; n < 3; n++) await post(send, here())
    expect(ports.size).toBe(3)
  })
})

describe('a host name', () => {
  let receiver: Receiver
  beforeEach(async () => {
    receiver = await startReceiver()
  })
  afterEach(() => receiver.close())

  const named = (loopback = false): Target => {
    const { port } = new URL(receiver.url)
    return { url: new URL(`http://hooks.example:${port}/secret-path`), loopback }
  }

  it('that resolves to this machine is rejected, even among other addresses', async () => {
    for (const addresses of [['127.0.0.1'], ['2d00::1', '127.0.0.1'], ['10.0.0.1']]) {
      const lookup: Lookup = async () => addresses.map((address) => ({ address, family: 4 }))
      expect(await textOf(post(createSender({ lookup }), named()))).toBe(
        'requests to hooks.example are refused: not a public address once the name is resolved',
      )
    }
    expect(receiver.received).toHaveLength(0)
  })

  it('is resolved once for each delivery, and only a checked address is connected to', async () => {
    let lookups = 0
    const lookup: Lookup = async () => {
      lookups += 1
      // An unassigned global unicast address first, then loopback.
      return [
        lookups === 1 ? { address: '2d00::1', family: 6 } : { address: '127.0.0.1', family: 4 },
      ]
    }
    const send = createSender({ lookup })
    expect(await textOf(post(send, named(), 1_000))).toMatch(/^no answer/)
    expect(lookups).toBe(1)
    expect(await textOf(post(send, named()))).toContain('not a public address')
    expect(lookups).toBe(2)
    expect(receiver.received).toHaveLength(0)
  })

  it('without an address is reported', async () => {
    const lookup: Lookup = async () => []
    expect(await textOf(post(createSender({ lookup }), named()))).toBe(
      'the host hooks.example has no address',
    )
  })
})

describe('a remote host', () => {
  afterEach(() => nock.cleanAll())
  afterAll(() => nock.restore())

  it('receives bytes and headers over HTTPS', async () => {
    const bodies: unknown[] = []
    nock('https://hooks.example', { reqheaders: { 'x-idempotency-key': 'id' } })
      .post('/in', (body) => bodies.push(body) > 0)
      .query({ token: 't' })
      .reply(429, 'later', { 'Retry-After': '7' })
    const target = { url: new URL('https://hooks.example/in?token=t'), loopback: false }
    expect(await post(createSender(), target)).toEqual({ status: 429, retryAfter: '7' })
    expect(bodies).toEqual([{ a: 1 }])
  })

  it('is not followed on redirects', async () => {
    nock('https://hooks.example').post('/').reply(302, '', { Location: 'https://other.example/' })
    const other = nock('https://other.example').get('/').reply(200)
    const target = { url: new URL('https://hooks.example/'), loopback: false }
    expect(await post(createSender(), target)).toMatchObject({ status: 302 })
    expect(other.isDone()).toBe(false)
  })
})

it('the text of a failure contains at most a code', () => {
  const error = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:443'), {
    code: 'ECONNREFUSED',
  })
  expect(failureText(error)).toBe('no answer: ECONNREFUSED')
  expect(failureText(new AggregateError([error], 'all failed', { cause: error }))).toBe(
    'no answer: ECONNREFUSED',
  )
  expect(failureText(new Error('https://hooks.example/secret'))).toBe('no answer')
  expect(failureText('text')).toBe('no answer')
})

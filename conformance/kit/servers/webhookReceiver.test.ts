import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startWebhookReceiver, type WebhookReceiver } from './webhookReceiver.ts'

let receiver: WebhookReceiver
beforeEach(async () => {
  receiver = await startWebhookReceiver()
})
afterEach(() => receiver.close())

const post = (path: string, body: string | Uint8Array = '{}', init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${receiver.port}${path}`, {
    method: 'POST',
    body: body as NonNullable<RequestInit['body']>,
    ...init,
  })

describe('a mailbox', () => {
  test('records bytes, headers and time of requests', async () => {
    const box = receiver.open()
    const bytes = Uint8Array.from([0, 255, 0xc3, 0x28, 10])
    const before = performance.now()
    const response = await post(box.path, bytes, { headers: { 'X-Odd-Case': 'a' } })
    expect(response.status).toBe(200)
    const [delivery] = box.deliveries
    expect(Uint8Array.from(delivery!.body)).toEqual(bytes)
    expect(delivery!.method).toBe('POST')
    expect(delivery!.headers['x-odd-case']).toBe('a')
    expect(delivery!.rawHeaders.map((name) => name.toLowerCase())).toContain('x-odd-case')
    expect(delivery!.at).toBeGreaterThanOrEqual(before)
    expect(delivery!.gaveUpAt).toBeUndefined()
  })

  test('answers in order, repeating the last answer', async () => {
    const box = receiver.open([500, { status: 429, headers: { 'retry-after': '1' } }, 204])
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) statuses.push((await post(box.path)).status)
    expect(statuses).toEqual([500, 429, 204, 204])
  })

  test('rejects unknown paths', async () => {
    const [one, other] = [receiver.open(), receiver.open()]
    await post(one.path)
    expect(other.deliveries).toEqual([])
    expect((await post('/somewhere')).status).toBe(404)
    one.close()
    expect((await post(one.path)).status).toBe(404)
    expect(one.deliveries).toHaveLength(1)
  })

  test('works behind the path prefix of a tunnel', async () => {
    const box = receiver.open()
    expect((await post(`/tunnel/7${box.path}?a=1`)).status).toBe(200)
    expect(box.deliveries[0]!.path).toBe(`/tunnel/7${box.path}?a=1`)
  })

  test('aborts an endless request', async () => {
    const box = receiver.open()
    const outcome = await post(box.path, 'x'.repeat(3 * 1024 * 1024)).then(
      ({ status }) => status,
      () => 413,
    )
    expect(outcome).toBe(413)
    expect(box.deliveries).toEqual([])
  })

  test('limits what it stores: excess requests are refused, and not recorded', async () => {
    const box = receiver.open()
    const body = new Uint8Array(1024 * 1024)
    const statuses: number[] = []
    for (let i = 0; i < 66; i++) statuses.push((await post(box.path, body)).status)
    expect(statuses.slice(-2)).toEqual([429, 429])
    expect(box.deliveries).toHaveLength(64)
  })

  test('waits for that many requests, or until the timeout', async () => {
    const box = receiver.open()
    expect(await box.wait(1, 10)).toBe(false)
    const waiting = box.wait(2, 10_000)
    await post(box.path)
    await post(box.path)
    expect(await waiting).toBe(true)
  })
})

describe('an answer that never comes', () => {
  test('hangs until the client times out, and reports when', async () => {
    const box = receiver.open(['hang'])
    const signal = AbortSignal.timeout(100)
    await expect(post(box.path, '{}', { signal })).rejects.toThrow()
    await expect.poll(() => box.deliveries[0]?.gaveUpAt).toBeDefined()
    const { at, gaveUpAt } = box.deliveries[0]!
    expect(gaveUpAt!).toBeGreaterThanOrEqual(at)
  })

  test('resets the connection', async () => {
    const box = receiver.open(['reset'])
    await expect(post(box.path)).rejects.toThrow()
    expect(box.deliveries).toHaveLength(1)
  })

  test('is delayed, with a slow body', async () => {
    const box = receiver.open([
      { status: 200, afterMs: 60 },
      { status: 200, dripMs: 5 },
    ])
    const started = performance.now()
    expect((await post(box.path)).status).toBe(200)
    expect(performance.now() - started).toBeGreaterThanOrEqual(55)
    const abort = new AbortController()
    const response = await post(box.path, '{}', { signal: abort.signal })
    const reader = response.body!.getReader()
    expect((await reader.read()).done).toBe(false)
    expect((await reader.read()).done).toBe(false)
    abort.abort()
    await expect.poll(() => box.deliveries[1]!.gaveUpAt).toBeDefined()
  })
})

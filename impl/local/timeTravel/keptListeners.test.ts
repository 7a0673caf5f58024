import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import type { Listener } from 'polgate-service/gateway/serve.ts'
import { afterEach, expect, test } from 'vitest'
import { createKeptListeners } from './keptListeners.ts'

const cleanup = createCleanupStack()
afterEach(cleanup.close)

function start(waitMs?: number) {
  const listeners = createKeptListeners(waitMs)
  cleanup.defer(() => listeners.close())
  return (text: string, fetch: () => Response | Promise<Response> = () => new Response(text)) =>
    listeners.listener('gateway', { fetch, port: 0, hostname: '127.0.0.1' })
}

const textOf = async (url: string) => await (await fetch(url)).text()

test('a service takes over the port of the one before, without a refused request', async () => {
  const serve = start()
  let service: Listener = await serve('0')
  const { url } = service
  const answers = new Set<string>()
  let over = false
  const asking = Array.from({ length: 4 }, async () => {
    while (!over) answers.add(await textOf(url))
  })
  for (let at = 1; at <= 20; at += 1) {
    await service.close()
    await new Promise((resolve) => setTimeout(resolve, 5))
    service = await serve(String(at))
    expect(service.url).toBe(url)
    await expect.poll(() => [...answers]).toContain(String(at))
  }
  over = true
  await Promise.all(asking)
})

test('requests in flight end on the service that has accepted them', async () => {
  const serve = start()
  let answer: ((response: Response) => void) | undefined
  const service = await serve('', () => new Promise((resolve) => (answer = resolve)))
  const asked = textOf(service.url)
  await expect.poll(() => answer).toBeDefined()
  let closed = false
  const closing = service.close().then(() => (closed = true))
  const late = textOf(service.url)
  expect(closed).toBe(false)
  answer!(new Response('first'))
  expect(await asked).toBe('first')
  await closing
  await serve('second')
  expect(await late).toBe('second')
  // Closing again does not affect the next one.
  await service.close()
  expect(await textOf(service.url)).toBe('second')
})

test('a request that outlasts the grace period is ended', async () => {
  const listeners = createKeptListeners()
  cleanup.defer(() => listeners.close())
  let asked = false
  const service = await listeners.listener('gateway', {
    ...{ port: 0, hostname: '127.0.0.1', graceMilliseconds: 20 },
    fetch: () => {
      asked = true
      return new Promise(() => {})
    },
  })
  const answer = textOf(service.url).catch((error: Error) => error.message)
  await expect.poll(() => asked).toBe(true)
  await service.close()
  expect(await answer).toBe('fetch failed')
})

test('without a next service, requests are answered with 503', async () => {
  const service = await start(10)('only')
  await service.close()
  const answer = await fetch(service.url)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  const upgrade = request(service.url, {
    headers: { connection: 'upgrade', upgrade: 'websocket' },
  }).end()
  const [refused] = (await once(upgrade, 'response')) as [IncomingMessage]
  expect(refused.statusCode).toBe(503)
})

import { createServer } from 'node:http'
import { drain, listen } from 'polgate-lib/http/listen.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forwardDelivery } from './forwardDelivery.ts'

/** A local program that answers at `/answer` and `/drip`, and closes the connection at `/close`. */
const program = createServer((request, response) => {
  if (request.url === '/drip') {
    response.writeHead(200)
    const drip = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(drip))
  }
  if (request.url === '/cut') {
    response.writeHead(429, { 'retry-after': '7', 'content-length': '9' })
    response.write('.', () => response.destroy())
  }
  if (request.url === '/answer') response.writeHead(204).end()
  if (request.url === '/close') response.destroy()
})
let origin: string
beforeAll(async () => {
  origin = (await listen(program)).url
})
afterAll(() => drain(program, { graceMs: 0 }))

const forward = (path: string, options: { withinMs: number; signal?: AbortSignal }) =>
  forwardDelivery(
    new URL(path, origin),
    { rawHeaders: ['X-A', '1'], body: Buffer.from('{}') },
    { signal: new AbortController().signal, ...options },
  )

test('an answer is that of the program', async () => {
  expect(await forward('/answer', { withinMs: 30_000 })).toMatchObject({ status: 204 })
})

test('the status counts once the header is there, whatever becomes of the body', async () => {
  const gone = new AbortController()
  const answer = await forward('/drip', { withinMs: 30_000, signal: gone.signal })
  expect(answer).toMatchObject({ status: 200 })
  expect(answer.error).toBeUndefined()
  gone.abort()
  await expect
    .poll(() => new Promise((resolve) => program.getConnections((_, open) => resolve(open))))
    .toBe(0)
  expect(await forward('/cut', { withinMs: 30_000 })).toMatchObject({
    status: 429,
    retryAfter: '7',
  })
})

test('a connection without an answer is a 502', async () => {
  const { status, error } = await forward('/close', { withinMs: 30_000 })
  expect({ status, error }).toEqual({ status: 502, error: 'no answer: ECONNRESET' })
})

test('an answer that comes too late is a 504, also if the service gives up first', async () => {
  const late = await forward('/hang', { withinMs: 50 })
  expect(late).toMatchObject({ status: 504, error: 'no answer within 50 ms' })
  const given = await forward('/hang', { withinMs: 30_000, signal: AbortSignal.timeout(50) })
  expect(given).toMatchObject({ status: 504, error: 'no answer before the service gave up' })
})

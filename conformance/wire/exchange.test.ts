import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { send } from './exchange.ts'
import { longestAnswer } from './readText.ts'

let server: Server
async function hostile(listener: RequestListener, timeoutMs = 20_000) {
  server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return send({ baseUrl, keys: {}, fetch }, { body: '{}', timeoutMs })
}
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

test('an endless body is aborted when it is too long, with its connection', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 'a')
  let sent = 0
  const gone = new Promise<void>((resolve, reject) => {
    hostile((_, response) => {
      response.once('close', resolve)
      const more = () => {
        while (!response.destroyed && response.write(chunk)) sent++
        sent++
      }
      response.on('drain', more)
      more()
    }).then(
      () => reject(new Error('no error was thrown')),
      (error: Error) => {
        if (!error.message.includes('the answer is longer than')) reject(error)
      },
    )
  })
  await gone
  expect(sent).toBeLessThan(64)
})

test('a body that decompresses to more than the limit is not decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(longestAnswer * 4))
  expect(bomb.length).toBeLessThan(100_000)
  const before = process.memoryUsage().rss
  await expect(
    hostile((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)),
  ).rejects.toThrow('the answer is longer than')
  expect(process.memoryUsage().rss - before).toBeLessThan(longestAnswer * 8)
})

test('slow bytes are awaited only until the timeout', async () => {
  const drip = hostile((_, response) => {
    const timer = setInterval(() => response.write('.'), 20)
    response.once('close', () => clearInterval(timer))
  }, 300)
  await expect(drip).rejects.toThrow('no answer to POST http://127.0.0.1:')
})

test('a redirect is returned and not followed', async () => {
  let asked = 0
  const { status } = await hostile((_, response) => {
    asked++
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  expect([status, asked]).toEqual([307, 1])
})

test('bytes that are not UTF-8 are decoded too; a character may arrive in two parts', async () => {
  const { body } = await hostile((_, response) => {
    response.write(Buffer.from([0xc3]))
    setTimeout(() => response.end(Buffer.from([0xbc, 0xff, 0xfe])), 20)
  })
  expect(body).toBe('ü\ufffd\ufffd')
})

test('unlimited headers are an error, and do not end the suite', async () => {
  await expect(
    hostile((_, response) => response.writeHead(200, { 'x-long': 'a'.repeat(200_000) }).end()),
  ).rejects.toThrow()
})

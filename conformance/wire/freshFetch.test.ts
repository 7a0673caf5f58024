import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshFetch } from './freshFetch.ts'

/** Keeps connections open, and closes one that is used again without an answer. */
const server = createServer((_, response) => {
  const socket = response.socket as Socket
  const used = (requests.get(socket) ?? 0) + 1
  requests.set(socket, used)
  if (used > 1) socket.destroy()
  else response.end('an answer')
})
const requests = new Map<Socket, number>()

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

test('no connection is used twice', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (let call = 0; call < 3; call += 1)
    expect(await (await freshFetch(url)).text()).toBe('an answer')
  expect([...requests.values()]).toEqual([1, 1, 1])
})

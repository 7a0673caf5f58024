import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { EgressError } from '../net/guardedLookup.ts'
import { createEgress, type EgressOptions } from './egress.ts'
import { createHostFetch } from './hostFetch.ts'
import { defaultOracleLimits } from './limits.ts'

let server: Server
let port: number
let served: number
const cleanup = createCleanupStack()

beforeEach(async () => {
  served = 0
  server = createServer((_request, response) => {
    served += 1
    response.end('reached')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterEach(async () => {
  await cleanup.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function fetchWith(options: EgressOptions) {
  const egress = createEgress(options)
  cleanup.defer(egress.close)
  const fetch = createHostFetch({ egress, limits: { ...defaultOracleLimits, httpCallMs: 2_000 } })
  return async (url: string) => {
    const request = { url, method: 'GET', headers: [] }
    const { body } = await fetch(request, new AbortController().signal)
    return new TextDecoder().decode(body)
  }
}

const loopback = [{ address: '127.0.0.1', family: 4 }]
/** Unassigned global unicast: it passes the check, and nothing is reachable there. */
const publicAddress = { address: '2d00::1', family: 6 }

test.each([
  '127.0.0.1',
  '[::1]',
  '0.0.0.0',
  '2130706433',
  '0x7f000001',
  '127.1',
  '[::ffff:127.0.0.1]',
  '169.254.169.254',
  '10.1.2.3',
])('the literal %s is rejected before any connection', async (host) => {
  const get = fetchWith({})
  await expect(get(`http://${host}:${port}/`)).rejects.toThrow('not a public address')
  expect(served).toBe(0)
})

test('a name is rejected after resolution', async () => {
  const get = fetchWith({ lookup: async () => loopback })
  await expect(get(`http://feed.example:${port}/`)).rejects.toThrow(
    'requests to feed.example are refused: not a public address once the name is resolved',
  )
  expect(served).toBe(0)
})

test('a name with one private address among public ones is rejected', async () => {
  const get = fetchWith({ lookup: async () => [publicAddress, ...loopback] })
  await expect(get(`http://feed.example:${port}/`)).rejects.toThrow('not a public address')
  expect(served).toBe(0)
})

test('a name is resolved once, and the connection goes to the checked address', async () => {
  // A name server that answers with a public address first and with loopback from then on.
  let lookups = 0
  const lookup = async () => {
    lookups += 1
    return lookups === 1 ? [publicAddress] : loopback
  }
  const get = fetchWith({ lookup })
  await expect(get(`http://rebinding.example:${port}/`)).rejects.toThrow('rebinding.example')
  expect(lookups).toBe(1)
  expect(served).toBe(0)
  // The second answer is checked like the first: approvals are not cached.
  await expect(get(`http://rebinding.example:${port}/`)).rejects.toThrow('not a public address')
  expect(served).toBe(0)
})

test('the allow-list allows a host and port, and nothing else', async () => {
  const get = fetchWith({ allowedHosts: [`127.0.0.1:${port}`] })
  expect(await get(`http://127.0.0.1:${port}/`)).toBe('reached')
  await expect(get(`http://127.0.0.1:${port + 1}/`)).rejects.toThrow('not a public address')
  await expect(get(`http://localhost:${port}/`)).rejects.toThrow('the name of the local machine')
})

test('an allowed name is resolved by the given lookup', async () => {
  const allowedHosts = [`feed.example:${port}`]
  const get = fetchWith({ allowedHosts, lookup: async () => loopback })
  expect(await get(`http://feed.example:${port}/`)).toBe('reached')
})

test('a name without an address is reported', async () => {
  const get = fetchWith({ lookup: async () => [] })
  await expect(get(`http://nowhere.example:${port}/`)).rejects.toThrow(
    'the host nowhere.example has no address',
  )
})

test.each([
  ['file:///etc/passwd', 'only http and https'],
  ['ftp://feed.example/', 'only http and https'],
  ['data:text/plain,x', 'only http and https'],
  ['http://user:pass@feed.example/', 'credentials go into request headers'],
])('%s is rejected', (url, text) => {
  const connections = createEgress().connections()
  cleanup.defer(connections.close)
  expect(() => connections.dispatcherFor(new URL(url))).toThrow(EgressError)
  expect(() => connections.dispatcherFor(new URL(url))).toThrow(text)
})

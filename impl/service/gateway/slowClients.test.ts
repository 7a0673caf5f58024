import { connect, type Socket } from 'node:net'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import {
  createTransfers,
  defaultTransferLimits,
  type TransferLimits,
} from 'polgate-lib/http/transfers.ts'
import { afterEach, expect, it } from 'vitest'
import { openTestGateway, type TestGateway } from './gateway.fixture.ts'
import { serve } from './serve.ts'

/** Clients of one key that send or read slowly, over real sockets (decisions, section 9). */

const cleanup = createCleanupStack()
afterEach(cleanup.close)

const mebibyte = 1024 * 1024

async function start(limits: Partial<TransferLimits> = {}) {
  const transfers = createTransfers({ ...defaultTransferLimits, ...limits })
  const gateway = await openTestGateway({ transfers })
  cleanup.defer(() => gateway.close())
  const { fetch } = gateway.app
  const listener = await serve({ fetch, port: 0, hostname: '127.0.0.1', graceMilliseconds: 100 })
  cleanup.defer(() => listener.close())
  return { gateway, transfers, url: `${listener.url}/rpc`, port: listener.port }
}
type Started = Awaited<ReturnType<typeof start>>

/** A connection with what it has received as text. */
type Peer = { readonly socket: Socket; text: string; readonly closed: Promise<void> }

function open(port: number): Peer {
  const socket = connect(port, '127.0.0.1')
  cleanup.defer(async () => void socket.destroy())
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const peer: Peer = { socket, text: '', closed }
  socket.on('data', (chunk) => {
    peer.text += chunk.toString('latin1')
  })
  return peer
}

const headOf = (key: string, ...lines: readonly string[]) =>
  ['POST /rpc HTTP/1.1', 'Host: gateway', `Authorization: Bearer ${key}`, ...lines, '', ''].join(
    '\r\n',
  )

const call = JSON.stringify({ jsonrpc: '2.0', method: 'svc_getSecretsPublicKey', id: 1 })

async function statusFor({ url }: Started, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  return (await fetch(url, { method: 'POST', headers, body: call })).status
}

const statusOf = ({ text }: Peer) => text.slice(9, 12)
const bodyBytes = 2 * mebibyte - 1024
const body = Buffer.alloc(bodyBytes - 1, ' ')

/** Bodies that lack their last byte. */
function sendBodies({ port }: Started, key: string, count: number): readonly Peer[] {
  return Array.from({ length: count }, () => {
    const peer = open(port)
    peer.socket.write(headOf(key, `Content-Length: ${bodyBytes}`))
    peer.socket.write(body)
    return peer
  })
}

it('holds of the bodies of one key no more than its limit, and serves other keys', async () => {
  const started = await start({ bytesPerKey: 8 * mebibyte })
  const { gateway, transfers } = started
  const before = process.memoryUsage().arrayBuffers
  const peers = sendBodies(started, gateway.keys.rpc, 60)
  await expect
    .poll(() => peers.filter((peer) => statusOf(peer) === '429').length, { timeout: 20_000 })
    .toBe(56)
  expect(transfers.held()).toEqual({ bytes: 4 * bodyBytes, transfers: 4 })
  expect(await statusFor(started, gateway.keys.write)).toBe(403)
  expect(await statusFor(started, gateway.keys.read)).toBe(200)
  const refused = peers.find((peer) => statusOf(peer) === '429')
  expect(refused?.text).toMatch(/^retry-after: 1\r$/im)
  // 60 of these bodies are 120 MiB.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40 * mebibyte)
  // What was accepted is answered once it is complete.
  for (const peer of peers) if (statusOf(peer) === '') peer.socket.write(' ')
  await expect.poll(() => peers.filter((peer) => statusOf(peer) === '200').length).toBe(4)
  expect(transfers.held()).toEqual({ bytes: 0, transfers: 0 })
  expect(await statusFor(started, gateway.keys.rpc)).toBe(200)
})

it('counts bodies without a length as they arrive', async () => {
  const started = await start({ bytesPerKey: 4 * mebibyte })
  const { gateway, transfers } = started
  const piece = Buffer.alloc(mebibyte, ' ')
  const peers = Array.from({ length: 12 }, () => {
    const peer = open(started.port)
    peer.socket.write(headOf(gateway.keys.rpc, 'Transfer-Encoding: chunked'))
    peer.socket.write(`${piece.length.toString(16)}\r\n`)
    peer.socket.write(piece)
    return peer
  })
  await expect
    .poll(() => peers.filter((peer) => statusOf(peer) === '429').length)
    .toBeGreaterThanOrEqual(8)
  expect(transfers.held().bytes).toBeLessThanOrEqual(4 * mebibyte)
  expect(await statusFor(started, gateway.keys.read)).toBe(200)
})

it('bounds the number of bodies of a key', async () => {
  const started = await start({ transfersPerKey: 5 })
  const peers = Array.from({ length: 20 }, () => {
    const peer = open(started.port)
    peer.socket.write(headOf(started.gateway.keys.rpc, 'Content-Length: 10'))
    return peer
  })
  await expect.poll(() => peers.filter((peer) => statusOf(peer) === '429').length).toBe(15)
  expect(started.transfers.held().transfers).toBe(5)
})

it('answers 408 to a body that arrives too slowly, and closes its connection', async () => {
  const started = await start({ graceMs: 200, bytesPerSecond: mebibyte })
  const [peer] = sendBodies(started, started.gateway.keys.rpc, 1)
  await peer!.closed
  expect(statusOf(peer!)).toBe('408')
  expect(peer!.text).toContain('the body arrived too slowly')
  expect(started.transfers.held()).toEqual({ bytes: 0, transfers: 0 })
})

it('makes room for another key at the cost of that which holds most', async () => {
  const started = await start({ bytesPerKey: 16 * mebibyte, bytes: 16 * mebibyte })
  const { gateway, transfers } = started
  const slow = sendBodies(started, gateway.keys.rpc, 8)
  await expect.poll(() => transfers.held().transfers).toBe(8)
  const [other] = sendBodies(started, gateway.keys.read, 1)
  await expect.poll(() => slow.filter((peer) => statusOf(peer) === '429').length).toBe(1)
  other!.socket.write(' ')
  await expect.poll(() => statusOf(other!)).toBe('200')
})

it('holds of the responses of one key no more than its limit, and cuts the oldest', async () => {
  const started = await start({ bytesPerKey: 40 * mebibyte, graceMs: 60_000 })
  const { gateway, transfers } = started
  const peers = await unreadResponses(started, gateway, 12)
  await expect.poll(() => transfers.held().bytes).toBeGreaterThan(20 * mebibyte)
  expect(transfers.held().bytes).toBeLessThanOrEqual(40 * mebibyte)
  expect(await statusFor(started, gateway.keys.read)).toBe(200)
  expect(peers).toHaveLength(12)
})

it('closes the connection of a reader that is too slow', async () => {
  const started = await start({ graceMs: 300, bytesPerSecond: 100 * mebibyte })
  const { gateway, transfers } = started
  const [peer] = await unreadResponses(started, gateway, 1)
  await expect.poll(() => transfers.held().transfers).toBe(1)
  await expect.poll(() => transfers.held().transfers).toBe(0)
  peer!.socket.resume()
  await peer!.closed
  expect(peer!.text.length).toBeLessThan(responseBytes)
})

/** More than the buffers of the system take. */
const responseBytes = 18 * mebibyte

/** Calls of one key whose responses are not read; each is sent after the one before was answered. */
async function unreadResponses(
  { port }: Started,
  gateway: TestGateway,
  count: number,
): Promise<readonly Peer[]> {
  const large = { data: 'a'.repeat(responseBytes) }
  gateway.recorded.respond(() => large)
  const peers: Peer[] = []
  const params = { data_ref_id: `0x${'33'.repeat(32)}` }
  const text = JSON.stringify({ jsonrpc: '2.0', method: 'svc_getIdentityEncrypted', params, id: 1 })
  for (let at = 0; at < count; at += 1) {
    const peer = open(port)
    peer.socket.pause()
    peer.socket.write(headOf(gateway.keys.rpc, `Content-Length: ${text.length}`) + text)
    peers.push(peer)
    await expect.poll(() => gateway.recorded.calls.length).toBeGreaterThanOrEqual(1)
  }
  return peers
}

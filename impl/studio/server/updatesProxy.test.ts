import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { drain, listen } from 'polgate-lib/http/listen.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { type Studio, serveStudio } from './serveStudio.ts'

let gateway: Server
let sockets: WebSocketServer
let studio: Studio
const keys: (string | undefined)[] = []

beforeAll(async () => {
  gateway = createServer()
  sockets = new WebSocketServer({ server: gateway })
  sockets.on('connection', (socket, request) => {
    keys.push(request.headers.authorization)
    socket.on('message', (data) => socket.send(`echo ${data}`))
  })
  const { url } = await listen(gateway)
  studio = await serveStudio({
    target: {
      ...{ name: 'test', gatewayUrl: url, contracts: {}, keys: { rpc: 'key' }, defaultKey: 'rpc' },
      brand: {
        ...{ methodPrefix: 'svc_', topicPrefix: 'service.task.' },
        ...{ networkHeader: 'X-Protocol-Network', signatureHeader: 'X-Service-Signature' },
        regoNamespace: 'service',
      },
    },
    loadAssets: async () => new Map(),
    port: 0,
  })
})
afterAll(async () => {
  await studio.close()
  sockets.close()
  await drain(gateway)
})

const token = () => new URL(studio.url).hash.slice('#token='.length)
const open = (query: string, headers: Record<string, string> = {}, path = '/api/updates') =>
  new WebSocket(`ws://127.0.0.1:${studio.port}${path}${query}`, { headers })

it('passes messages on in both directions, with the key of the target', async () => {
  const socket = open(`?api_key=${token()}`, { origin: `http://127.0.0.1:${studio.port}` })
  const answers: string[] = []
  socket.on('message', (data) => answers.push(String(data)))
  await once(socket, 'open')
  // Before the gateway's socket is open: kept until then.
  socket.send('one')
  socket.send('two')
  await expect.poll(() => answers).toEqual(['echo one', 'echo two'])
  expect(keys).toEqual(['Bearer key'])
  for (const each of sockets.clients) each.close()
  await once(socket, 'close')
})

it.each([
  ['no token', '', {}, 401],
  ['a wrong token', '?api_key=wrong', {}, 401],
  ['another origin', undefined, { origin: 'https://evil.example' }, 403],
  ['another host', undefined, { host: 'evil.example' }, 403],
  ['another path', undefined, {}, 404],
])('refuses %s', async (name, query, headers, status) => {
  const path = name === 'another path' ? '/api/rpc' : '/api/updates'
  const socket = open(query ?? `?api_key=${token()}`, headers as Record<string, string>, path)
  const [error] = await once(socket, 'error')
  expect((error as Error).message).toContain(String(status))
  expect(sockets.clients.size).toBe(0)
})

it('ends the socket of the page when it closes', async () => {
  const socket = open(`?api_key=${token()}`)
  await once(socket, 'open')
  await studio.close()
  await once(socket, 'close')
  await expect.poll(() => sockets.clients.size).toBe(0)
})

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { openUpdateSocket, type UpdateSocket } from './updateSocket.ts'

let http: Server
let server: WebSocketServer
let url: string
let asked: string | undefined
const heard: string[] = []
const opened: UpdateSocket[] = []

beforeEach(async () => {
  heard.length = 0
  http = createServer((_, response) => response.writeHead(404).end())
  server = new WebSocketServer({ noServer: true })
  http.on('upgrade', (request, socket, head) => {
    asked = request.url
    if (request.headers.authorization !== 'Bearer right')
      return socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n')
    server.handleUpgrade(request, socket, head, (peer) => {
      peer.on('message', (data) => {
        const text = data.toString()
        if (text === 'close') peer.close(4001, 'asked to')
        else if (text === 'cut') peer.terminate()
        else for (const part of text.split('|')) peer.send(part)
      })
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/ws`
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((socket) => socket.close()))
  for (const peer of server.clients) peer.terminate()
  await new Promise((resolve) => http.close(resolve))
})

const open = (authorization = 'Bearer right') =>
  openUpdateSocket({ url, headers: { authorization }, heard: (text) => heard.push(text) })

async function openSocket(): Promise<UpdateSocket> {
  const opening = await open()
  if (opening.kind !== 'open') throw new Error(opening.kind)
  opened.push(opening.socket)
  return opening.socket
}

describe('a socket', () => {
  test('that is refused reports the status', async () => {
    expect(await open('Bearer wrong')).toEqual({ kind: 'refused', status: 401 })
  })

  test('has the key of the header in its address, where that is expected', async () => {
    const headers = { authorization: 'Bearer a&b' }
    await openUpdateSocket({ url: `${url}?key={key}`, headers })
    expect(asked).toBe('/ws?key=a%26b')
  })

  test('to an unreachable address has failed', async () => {
    const opening = await openUpdateSocket({ url: 'ws://127.0.0.1:1/ws' })
    expect(opening.kind).toBe('failed')
  })

  test('that is flooded is closed, and reports that', async () => {
    const socket = await openSocket()
    const [peer] = server.clients
    const long = 'a'.repeat(8 * 1024 * 1024)
    for (let i = 0; i < 12; i++) peer!.send(long)
    const closing = await socket.closed(20_000)
    expect(closing?.reason).toContain('the suite closed the connection')
    expect(socket.frames.length).toBeLessThan(9)
    await expect(socket.expect('a word', () => false)).rejects.toThrow('a word did not arrive')
  })

  test('keeps every frame in order, also invalid JSON', async () => {
    const socket = await openSocket()
    socket.sendRaw('{"n":1}|no json|{"n":2}')
    expect(await socket.expect('the second', ({ n }) => n === 2)).toEqual({ n: 2 })
    expect(socket.frames.map(({ json }) => json)).toEqual([{ n: 1 }, undefined, { n: 2 }])
    expect(heard).toEqual(['{"n":1}', 'no json', '{"n":2}'])
  })

  test('finds earlier frames, from a given position', async () => {
    const socket = await openSocket()
    socket.sendRaw('{"n":1}|{"n":1,"again":true}')
    await socket.expect('the last', ({ again }) => again === true)
    expect(await socket.expect('the first', ({ n }) => n === 1)).toEqual({ n: 1 })
    const later = await socket.expect('the next', ({ n }) => n === 1, { from: 1 })
    expect(later).toEqual({ n: 1, again: true })
  })

  test('that receives nothing in time makes a finding, with the received frames', async () => {
    const socket = await openSocket()
    socket.send({ n: 7 })
    await socket.expect('seven', ({ n }) => n === 7)
    const waiting = socket.expect('an eight', ({ n }) => n === 8, { ms: 20 })
    await expect(waiting).rejects.toMatchObject({
      message: 'an eight did not arrive',
      observed: '1 frames, the last {"n":7}',
    })
  })

  test('that is closed reports why, and ends waiting calls', async () => {
    const socket = await openSocket()
    const waiting = socket.expect('anything', () => true)
    socket.sendRaw('close')
    await expect(waiting).rejects.toMatchObject({
      observed: '0 frames, closed with 4001 asked to',
    })
    expect(await socket.closed(1_000)).toEqual({ code: 4001, reason: 'asked to' })
    const cut = await openSocket()
    cut.sendRaw('cut')
    expect(await cut.closed(1_000)).toMatchObject({ code: 1006 })
    expect(await (await openSocket()).closed(10)).toBeUndefined()
  })
})

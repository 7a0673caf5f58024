import { createSocket, type Socket } from 'node:dgram'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  EgressError,
  type Lookup,
  nameServerAddresses,
  onlyAddresses,
  publicOnly,
  refuseLiteral,
  socketLookup,
} from './guardedLookup.ts'

const v4 = (address: string) => ({ address, family: 4 })
const always =
  (...addresses: string[]): Lookup =>
  async () =>
    addresses.map(v4)

test('every address of a name must be public', async () => {
  expect(await publicOnly(always('8.8.8.8', '1.1.1.1'))('feed.example')).toHaveLength(2)
  for (const lookup of [always('8.8.8.8', '127.0.0.1'), always('10.0.0.1')])
    await expect(publicOnly(lookup)('feed.example')).rejects.toThrow(
      'requests to feed.example are refused: not a public address',
    )
})

test('another rule can be used', async () => {
  const lookup = onlyAddresses(always('127.0.0.1'), (address) => address === '127.0.0.1')
  expect(await lookup('localhost')).toEqual([v4('127.0.0.1')])
})

test.each([
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0177.0.0.1/',
  'https://0x7f.1/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[fe80::1]/',
  'https://224.0.0.1/',
  'https://169.254.169.254/',
  'https://0.0.0.0/',
])('the literal of %s is rejected', (url) => {
  expect(() => refuseLiteral(new URL(url))).toThrow(EgressError)
})

test.each(['https://8.8.8.8/', 'https://[2606:4700:4700::1111]/', 'https://feed.example/'])(
  '%s is left to the lookup',
  (url) => {
    expect(() => refuseLiteral(new URL(url))).not.toThrow()
  },
)

test('a socket gets all addresses, the first one, or an error', async () => {
  const ask = (lookup: Lookup, all: boolean) =>
    new Promise((resolve) => {
      socketLookup(lookup)('feed.example', { all }, (error, address, family) =>
        resolve(error ?? [address, family]),
      )
    })
  expect(await ask(always('8.8.8.8', '1.1.1.1'), true)).toEqual([
    [v4('8.8.8.8'), v4('1.1.1.1')],
    undefined,
  ])
  expect(await ask(always('8.8.8.8', '1.1.1.1'), false)).toEqual(['8.8.8.8', 4])
  expect(await ask(always(), true)).toMatchObject({
    message: 'the host feed.example has no address',
  })
  expect(await ask(publicOnly(always('10.0.0.1')), false)).toBeInstanceOf(EgressError)
})

/** A name server that answers every IPv4 query with the given address. */
let server: Socket
let answer: readonly number[] | 'nothing' = 'nothing'
beforeEach(async () => {
  server = createSocket('udp4')
  server.on('message', (question, { port, address }) => {
    if (answer === 'nothing') return
    const type = question.readUInt16BE(question.indexOf(0, 12) + 1)
    const head = Buffer.from(question.subarray(0, question.indexOf(0, 12) + 5))
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(type === 1 ? 1 : 0, 6)
    head.writeUInt32BE(0, 8)
    const record = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...answer])
    server.send(type === 1 ? Buffer.concat([head, record]) : head, port, address)
  })
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
})
afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())))

test('name servers are queried', async () => {
  answer = [203, 0, 113, 7]
  const lookup = nameServerAddresses([`127.0.0.1:${server.address().port}`])
  expect(await lookup('feed.example')).toEqual([v4('203.0.113.7')])
})

test('unresponsive name servers leave a name without address', async () => {
  answer = 'nothing'
  const lookup = nameServerAddresses([`127.0.0.1:${server.address().port}`], 50)
  await expect(lookup('feed.example')).rejects.toThrow('the host feed.example has no address')
})

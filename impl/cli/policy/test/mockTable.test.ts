import { expect, test } from 'vitest'
import type { MockHosts } from '../../package/mocksSchema.ts'
import { mockTable, UnwrittenReply } from './mockTable.ts'

const request = (method: string, url: string, body = '') => ({
  ...{ method, url: new URL(url), headers: {}, body },
  json: () => JSON.parse(body),
})

const hosts: MockHosts = {
  'API.example.com:443': {
    '/price': { json: { route: 'path' } },
    '/price?symbol=ETH': { json: { route: 'query' } },
    'POST /price': { json: { route: 'method' } },
    '/users/*/risk': { json: { route: 'pattern' } },
    '*': { json: { route: 'any' } },
  },
  'api.example.com:8443': { '*': { body: 'other port', status: 201, headers: { 'x-a': 'b' } } },
  'seq.example.com': { '/': [{ status: 503 }, { json: 1 }, { cut: true, delayMs: 5 }] },
}

test.each([
  ['GET', 'https://api.example.com/price', 'path'],
  ['GET', 'http://api.example.com/price', 'path'],
  ['GET', 'https://api.example.com/price?symbol=BTC', 'path'],
  ['GET', 'https://api.example.com/price?symbol=ETH', 'query'],
  ['POST', 'https://api.example.com/price', 'method'],
  ['GET', 'https://api.example.com/users/0x1/risk', 'pattern'],
  ['GET', 'https://api.example.com/users/0x1/y/risk', 'any'],
  ['GET', 'https://api.example.com/', 'any'],
])('%s %s is answered by the most precise route: %s', (method, url, route) => {
  const reply = mockTable({ hosts, exchanges: [] }).reply(request(method, url))
  expect(JSON.parse(String(reply?.body))).toEqual({ route })
})

test('ports, status, headers; and hosts without a reply', () => {
  const table = mockTable({ hosts, exchanges: [] })
  expect(table.reply(request('GET', 'https://api.example.com:8443/x'))).toMatchObject({
    ...{ status: 201, body: 'other port', headers: { 'x-a': 'b' } },
  })
  expect(table.reply(request('GET', 'https://seq.example.com/other'))).toBeUndefined()
  expect(table.reply(request('GET', 'https://unknown.example.com/'))).toBeUndefined()
  expect(table.hosts).toEqual(['api.example.com', 'api.example.com:8443', 'seq.example.com'])
})

test('several replies come one after the other, in each run again', () => {
  for (let run = 0; run < 2; run += 1) {
    const table = mockTable({ hosts, exchanges: [] })
    const next = () => table.reply(request('GET', 'https://seq.example.com/'))
    expect(next()).toMatchObject({ status: 503, body: '' })
    expect(next()).toMatchObject({ status: 200, body: '1' })
    for (let more = 0; more < 2; more += 1)
      expect(next()).toMatchObject({ body: undefined, delayMs: 5 })
  }
})

test('a case replaces replies of the same route, and adds others', () => {
  const changes: MockHosts = { 'api.example.com': { '/price': { json: 2 }, '/new': { json: 3 } } }
  const table = mockTable({ hosts, exchanges: [] }, changes)
  const bodyOf = (path: string) =>
    table.reply(request('GET', `https://api.example.com${path}`))?.body
  expect([bodyOf('/price'), bodyOf('/new'), bodyOf('/users/a/risk')]).toEqual([
    ...['2', '3', '{"route":"pattern"}'],
  ])
})

test('recorded exchanges answer what no host does, by method, URL and body', () => {
  const url = 'https://rec.example.com/a?b=1'
  const bytes = (text: string) => new Uint8Array(Buffer.from(text))
  const table = mockTable({
    hosts,
    exchanges: [
      {
        request: { method: 'POST', url, headers: [], body: bytes('ask') },
        answer: {
          kind: 'response',
          response: {
            status: 202,
            headers: [
              ['content-length', '9'],
              ['x-a', 'b'],
            ],
            body: bytes('told'),
          },
        },
      },
      { request: { method: 'GET', url, headers: [] }, answer: { kind: 'error', message: 'late' } },
    ],
  })
  expect(table.reply(request('POST', url, 'ask'))).toMatchObject({
    ...{ status: 202, headers: { 'x-a': 'b' }, body: bytes('told') },
  })
  expect(table.reply(request('POST', url, 'other'))).toBeUndefined()
  expect(table.reply(request('GET', url))?.body).toBeUndefined()
  expect(table.hosts).toContain('rec.example.com')
})

test('$now in a reply is a time', () => {
  const json = { at: { $now: -10 }, both: { $now: 1, more: 2 }, list: [{ $now: 0 }] }
  const table = mockTable(
    { hosts: { 'api.example.com': { '*': { json } } }, exchanges: [] },
    {},
    () => 1_000_999,
  )
  const reply = table.reply(request('GET', 'https://api.example.com/'))
  expect(JSON.parse(String(reply?.body))).toEqual({
    ...{ at: 990, both: { $now: 1, more: 2 }, list: [1000] },
  })
})

test('a mock that is to be filled in answers with an error that says so', () => {
  const stub: MockHosts = { 'api.example.com': { '*': { fillIn: 'the price' } } }
  const reply = mockTable({ hosts: stub, exchanges: [] }).reply(
    request('GET', 'https://api.example.com/'),
  )
  expect(reply).toBeInstanceOf(UnwrittenReply)
  expect(reply).toMatchObject({ status: 501, body: expect.stringContaining('the price') })
})

const rpc: MockHosts = {
  'rpc.example.com': {
    'POST /': [
      { when: { json: { method: 'eth_call' } }, json: { id: { $request: '/id' }, result: 'call' } },
      {
        when: { json: { method: 'eth_call', params: [{ to: '0x1' }] } },
        json: { result: 'call of 0x1' },
      },
      { when: { json: { method: 'eth_blockNumber' } }, json: { result: 'first block' } },
      { when: { json: { method: 'eth_blockNumber' } }, json: { result: 'second block' } },
      { when: { json: { query: { $contains: 'price( id: 1 )' } } }, json: { data: 'price' } },
      { when: { query: { key: null, symbol: 'ETH' } }, json: 'query' },
    ],
    '*': { status: 418, json: 'other' },
  },
}

test.each([
  [
    'another method',
    '/',
    { method: 'eth_call', id: 7, params: [{ to: '0x2' }] },
    { id: 7, result: 'call' },
  ],
  [
    'a call with these parameters',
    '/',
    { method: 'eth_call', params: [{ to: '0x1', data: '0x' }] },
    { result: 'call of 0x1' },
  ],
  [
    'more parameters',
    '/',
    { method: 'eth_call', params: [{ to: '0x1' }, 'latest'] },
    { id: null, result: 'call' },
  ],
  ['GraphQL', '/', { query: '{\n  price(\n    id: 1\n  ) { usd }\n}' }, { data: 'price' }],
  ['a query', '/?symbol=ETH', {}, 'query'],
  ['a query with what must be absent', '/?symbol=ETH&key=1', {}, 'other'],
  ['no condition that holds', '/', { method: 'net_version' }, 'other'],
  ['no JSON', '/', 'text {', 'other'],
])('a condition on query and body: %s', (_, path, body, expected) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const table = mockTable({ hosts: rpc, exchanges: [] })
  const reply = table.reply(request('POST', `https://rpc.example.com${path}`, text))
  expect(JSON.parse(String(reply?.body))).toEqual(expected)
})

test('replies with the same condition come one after the other', () => {
  const table = mockTable({ hosts: rpc, exchanges: [] })
  const next = (method: string) =>
    JSON.parse(
      String(
        table.reply(request('POST', 'https://rpc.example.com/', JSON.stringify({ method })))?.body,
      ),
    ).result
  expect(['eth_blockNumber', 'eth_call', 'eth_blockNumber', 'eth_blockNumber'].map(next)).toEqual([
    'first block',
    'call',
    'second block',
    'second block',
  ])
})

test('a case changes one method of a path that several share', () => {
  const changes: MockHosts = {
    'rpc.example.com': {
      'POST /': { when: { json: { method: 'eth_call' } }, json: { result: 'changed' } },
    },
  }
  const table = mockTable({ hosts: rpc, exchanges: [] }, changes)
  const result = (body: object) =>
    JSON.parse(
      String(table.reply(request('POST', 'https://rpc.example.com/', JSON.stringify(body)))?.body),
    ).result
  expect(result({ method: 'eth_call', params: [{ to: '0x1' }] })).toBe('changed')
  expect(result({ method: 'eth_blockNumber' })).toBe('first block')
})

test('the query of a path has any order', () => {
  const table = mockTable({
    hosts: { 'a.example.com': { '/x?a=1&b=2': { json: 1 }, '//?a': { json: 2 } } },
    exchanges: [],
  })
  expect(table.reply(request('GET', 'https://a.example.com/x?b=2&a=1'))?.body).toBe('1')
  expect(table.reply(request('GET', 'https://a.example.com/x?b=2'))).toBeUndefined()
})

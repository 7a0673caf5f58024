import { expect, test } from 'vitest'
import type { Exchange } from '../core/exchange.ts'
import { curlOf } from './curl.ts'

const exchange = (request: Partial<Exchange['request']>): Exchange => ({
  request: {
    method: 'GET',
    url: 'http://a.example/v1/task',
    headers: {},
    body: '',
    key: undefined,
    ...request,
  },
  status: 200,
  headers: {},
  body: '',
  ms: 1,
})

test('a GET is the plain form, with the key in its original header', () => {
  const keyed = { key: 'SVC_KEY_READ', headers: { 'X-Protocol-Network': 'base' } }
  expect(curlOf(exchange(keyed))).toBe(
    `curl -s 'http://a.example/v1/task' -H 'X-Protocol-Network: base' -H "authorization: Bearer $SVC_KEY_READ"`,
  )
  expect(curlOf(exchange({ ...keyed, headers: {}, keyHeader: 'x-api-key' }))).toBe(
    `curl -s 'http://a.example/v1/task' -H "x-api-key: $SVC_KEY_READ"`,
  )
})

test('other methods are named, and a POST has a body', () => {
  expect(curlOf(exchange({ method: 'DELETE' }))).toContain('-X DELETE')
  expect(curlOf(exchange({ method: 'HEAD' }))).toContain('-I')
  expect(curlOf(exchange({ method: 'POST', body: "it's" }))).toContain(`--data-binary 'it'\\''s'`)
})

test('a raw key is shown in its header', () => {
  const headers = { 'x-api-key': 'nobody' }
  expect(curlOf(exchange({ headers, keyHeader: 'x-api-key' }))).toContain(`-H 'x-api-key: nobody'`)
})

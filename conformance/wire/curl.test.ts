import { expect, test } from 'vitest'
import type { Exchange } from '../core/exchange.ts'
import { curlOf } from './curl.ts'

const request = (change: Partial<Exchange['request']>): Exchange['request'] => ({
  method: 'GET',
  url: 'http://a.example/v1/task',
  headers: {},
  body: '',
  key: undefined,
  ...change,
})

test('a GET is the plain form, with the key in its original header', () => {
  const keyed = { key: 'SVC_KEY_READ', headers: { 'X-Protocol-Network': 'base' } }
  expect(curlOf(request(keyed))).toBe(
    `curl -s 'http://a.example/v1/task' -H 'X-Protocol-Network: base' -H "authorization: Bearer $SVC_KEY_READ"`,
  )
  expect(curlOf(request({ ...keyed, headers: {}, keyHeader: 'x-api-key' }))).toBe(
    `curl -s 'http://a.example/v1/task' -H "x-api-key: $SVC_KEY_READ"`,
  )
})

test('other methods are named, and a POST has a body', () => {
  expect(curlOf(request({ method: 'DELETE' }))).toContain('-X DELETE')
  expect(curlOf(request({ method: 'HEAD' }))).toContain('-I')
  expect(curlOf(request({ method: 'POST', body: "it's" }))).toContain(`--data-binary 'it'\\''s'`)
})

test('a raw key is shown in its header', () => {
  const headers = { 'x-api-key': 'nobody' }
  expect(curlOf(request({ headers, keyHeader: 'x-api-key' }))).toContain(`-H 'x-api-key: nobody'`)
})

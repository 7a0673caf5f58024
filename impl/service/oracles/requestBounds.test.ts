import { expect, test } from 'vitest'
import { requestBounds } from './hostRequest.ts'
import { defaultOracleLimits } from './limits.ts'
import { exceededBound, plainRequest } from './requestBounds.mjs'

/** The request types that a component may declare, and what is posted from its thread. */

const request = { url: 'https://a.example/', method: 'GET', headers: [['a', 'b']] }

test('a request has only its four members, whatever the component declares', () => {
  const body = new Uint8Array([1])
  const more = { more: ['x'.repeat(100)], __proto__: { inherited: 1 } }
  expect(plainRequest({ ...request, ...more })).toStrictEqual(request)
  expect(plainRequest({ ...request, body, ...more })).toStrictEqual({ ...request, body })
  const triple = { ...request, headers: [['a', 'b', 'c'.repeat(100)]] }
  expect(plainRequest(triple)).toStrictEqual(request)
})

test.each([
  ['url', { url: new Uint8Array(4) }],
  ['method', { method: ['GET'] }],
  ['name of a header', { headers: [[1, 'b']] }],
  ['header', { headers: 'ab' }],
  ['body of a wider integer type', { body: new Uint32Array(4) }],
  ['body with a length member', { body: { length: 0, more: 'x' } }],
])('rejects a %s of another type', (_, other) => {
  expect(() => plainRequest({ ...request, ...other })).toThrow(
    'the request does not match the http interface',
  )
})

test('the method counts towards the size', () => {
  const bounds = requestBounds(defaultOracleLimits)
  const long = { ...request, headers: [], method: 'G'.repeat(1024 * 1024) }
  expect(exceededBound(long, bounds)).toBe('the request is larger than 1 MiB')
})

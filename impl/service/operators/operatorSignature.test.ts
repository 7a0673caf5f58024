import fc from 'fast-check'
import { httpbis } from 'http-message-signatures'
import { property } from 'polgate-lib/testing/property.ts'
import { describe, expect, it } from 'vitest'
import { hmacSha256 } from './messageSignature.ts'
import {
  parseSignature,
  partsOf,
  type ResponseParts,
  signRequest,
  signResponse,
  verifyRequest,
  verifyResponse,
} from './operatorSignature.ts'

const secret = 'secret-of-gateway-and-operator'
const body = '{"a":1}'
const request = partsOf('POST', '/v1/sign', 'application/json', body)
const params = { created: 1_700_000_000, nonce: 'n'.repeat(24), keyid: `0x${'ab'.repeat(20)}` }
const response: ResponseParts = {
  status: 200,
  contentType: 'application/json',
  contentDigest: partsOf('', '', '', '{"answer":2}').contentDigest,
  request,
}
const verifying = {
  keyLookup: async () => ({
    algs: ['hmac-sha256' as const],
    verify: async (data: Buffer, signature: Buffer) =>
      hmacSha256(secret, `${data}`).equals(signature),
  }),
  notAfter: Number.MAX_SAFE_INTEGER,
}
/** For verification with another implementation of the standard. */
const url = 'https://operator.example/v1/sign'

describe('signed requests', () => {
  const headers = signRequest(secret, request, params)
  const parsed = parseSignature(headers)!

  it('verify with the secret only', () => {
    expect(parsed).toMatchObject(params)
    expect(verifyRequest(secret, request, parsed)).toBe(true)
    expect(verifyRequest(`${secret}x`, request, parsed)).toBe(false)
  })

  it('verify with another implementation of RFC 9421, behind another host', async () => {
    const message = { method: 'POST', url, headers: { ...headers } }
    expect(await httpbis.verifyMessage(verifying, message)).toBe(true)
    const moved = { ...message, url: 'https://operator.example/v1/data' }
    expect(await httpbis.verifyMessage(verifying, moved)).toBe(false)
  })

  it('are accepted from another implementation, in its order of members', async () => {
    const { headers: signed } = await httpbis.signMessage(
      {
        name: 'sig',
        key: { alg: 'hmac-sha256', sign: async (data) => hmacSha256(secret, `${data}`) },
        fields: ['content-digest', '@path', '@method', 'content-type'],
        params: ['keyid', 'alg', 'created', 'tag', 'nonce'],
        paramValues: {
          ...params,
          created: new Date(params.created * 1000),
          tag: 'policy-operator',
        },
      },
      {
        method: 'POST',
        url,
        headers: { 'content-type': request.contentType, 'content-digest': request.contentDigest },
      },
    )
    const lower = Object.fromEntries(
      Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]),
    )
    const theirs = parseSignature(lower)!
    expect(theirs).toMatchObject(params)
    expect(verifyRequest(secret, request, theirs)).toBe(true)
  })

  it.each([
    ['method', { ...request, method: 'PUT' }],
    ['path', { ...request, path: '/v1/data' }],
    ['content type', { ...request, contentType: 'text/plain' }],
    ['body', partsOf('POST', '/v1/sign', 'application/json', '{"a":2}')],
  ])('do not verify with another %s', (_, changed) => {
    expect(verifyRequest(secret, changed, parsed)).toBe(false)
  })

  it.each(['created=1700000001', 'nonce="another-nonce-of-its-own"', 'keyid="0xcd"'])(
    'do not verify with another parameter: %s',
    (changed) => {
      const name = changed.slice(0, changed.indexOf('='))
      const input = headers['signature-input'].replace(
        new RegExp(`${name}=("[^"]*"|[0-9]+)`),
        changed,
      )
      expect(input).not.toBe(headers['signature-input'])
      const forged = parseSignature({ ...headers, 'signature-input': input })!
      expect(verifyRequest(secret, request, forged)).toBe(false)
    },
  )

  it('do not verify if they cover less, or the same twice', () => {
    for (const [covered, instead] of [
      [' "content-digest"', ''],
      ['"@path"', '"@method"'],
      ['"@method"', '"@status"'],
    ] as const) {
      const input = headers['signature-input'].replace(covered, instead)
      const less = parseSignature({ ...headers, 'signature-input': input })!
      expect(verifyRequest(secret, request, less), input).toBe(false)
    }
  })

  it('are not accepted as responses, nor vice versa', () => {
    const answer = parseSignature(signResponse(secret, response, params))!
    expect(verifyResponse(secret, response, answer)).toBe(true)
    expect(verifyRequest(secret, request, answer)).toBe(false)
    expect(verifyResponse(secret, response, parsed)).toBe(false)
  })

  it.each([
    {},
    { ...headers, signature: undefined },
    { ...headers, signature: [headers.signature, headers.signature] },
    { ...headers, signature: `${headers.signature}, other=:AAAA:` },
    { ...headers, signature: 'sig=:AAAA:' },
    { ...headers, 'signature-input': 'sig=()' },
    { ...headers, 'signature-input': headers['signature-input'].replace('hmac-sha256', 'none') },
    { ...headers, 'signature-input': headers['signature-input'].replace('policy-operator', 'x') },
    { ...headers, 'signature-input': `${headers['signature-input']};created=1` },
    { ...headers, 'signature-input': `${headers['signature-input']};expires=1` },
    { ...headers, 'signature-input': `${headers['signature-input']} ` },
    { ...headers, 'signature-input': headers['signature-input'].repeat(99) },
  ])('are rejected in another form (%#)', (given) => {
    expect(parseSignature(given as never)).toBeUndefined()
  })

  property([fc.string(), fc.string()])(
    'are parsed from any text without errors',
    (input, signature) => {
      expect(parseSignature({ 'signature-input': input, signature })).toBeUndefined()
      parseSignature({ ...headers, 'signature-input': headers['signature-input'] + input })
    },
  )
})

describe('signed responses', () => {
  it('verify with another implementation of RFC 9421', async () => {
    const headers = signResponse(secret, response, params)
    const asked = {
      method: 'POST',
      url,
      headers: { 'content-type': request.contentType, 'content-digest': request.contentDigest },
    }
    const message = { status: 200, headers: { ...headers } }
    expect(await httpbis.verifyMessage(verifying, message, asked)).toBe(true)
    const swapped = { ...asked, url: 'https://operator.example/v1/data' }
    expect(await httpbis.verifyMessage(verifying, message, swapped)).toBe(false)
  })

  it.each<[string, Partial<ResponseParts>]>([
    ['status', { status: 404 }],
    ['content type', { contentType: 'text/html' }],
    ['body', { contentDigest: request.contentDigest }],
    ['request', { request: { ...request, path: '/v1/data' } }],
    ['body of the request', { request: { ...request, contentDigest: response.contentDigest } }],
  ])('do not verify with another %s', (_, changed) => {
    const parsed = parseSignature(signResponse(secret, response, params))!
    expect(verifyResponse(secret, { ...response, ...changed }, parsed)).toBe(false)
  })
})

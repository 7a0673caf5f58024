import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { property } from 'polgate-lib/testing/property.ts'
import { describe, expect, it } from 'vitest'
import { notificationOf } from '../testing/updates.ts'
import { verifyWebhook } from './verifyWebhook.ts'
import { webhookIdempotencyKey } from './webhookIdempotencyKey.ts'

const id = '7d3f1c52-7f5e-4b5e-9d3a-0f6f0a1b2c3d'
const notification = notificationOf(id)
const text = JSON.stringify(notification)
const body = new TextEncoder().encode(text)
const secret = 'correct horse'
const sign = (bytes: Uint8Array, key = secret) =>
  `sha256=${createHmac('sha256', key).update(bytes).digest('hex')}`
const signature = sign(body)
const headers = { 'x-service-signature': signature, 'x-idempotency-key': id }

describe('verifyWebhook', () => {
  it.each([
    ['an object', headers],
    ['Headers', new Headers(headers)],
    ['an object of lists', { 'X-Service-Signature': [signature] }],
    ['raw headers', ['X-SERVICE-SIGNATURE', signature, 'Content-Type', 'application/json']],
    ['pairs', [['X-Service-Signature', signature]] as const],
    ['a map', new Map([['x-service-SIGNATURE', signature]])],
    [
      'an upper-case digest',
      { 'x-service-signature': signature.toUpperCase().replace('SHA', 'sha') },
    ],
  ])('returns the notification for headers as %s', async (_, given) => {
    await expect(verifyWebhook(body, given, secret)).resolves.toEqual(notification)
  })

  it.each([
    ['a Buffer', Buffer.from(text)],
    ['an ArrayBuffer', body.buffer],
    ['text', text],
    ['a part of a larger buffer', new Uint8Array([0, ...body, 0]).subarray(1, body.length + 1)],
  ])('takes the body as %s', async (_, given) => {
    await expect(verifyWebhook(given, headers, secret)).resolves.toEqual(notification)
  })

  it('follows the brand', async () => {
    const branded = { 'x-acme-signature': signature }
    await expect(verifyWebhook(body, branded, secret, { brand: 'acme' })).resolves.toEqual(
      notification,
    )
    const brand = { signatureHeader: 'X-Acme-Signature' }
    await expect(verifyWebhook(body, branded, secret, { brand })).resolves.toEqual(notification)
    await expect(verifyWebhook(body, branded, secret)).rejects.toMatchObject({
      fault: 'signature_missing',
    })
  })

  it.each<[string, unknown, unknown, string]>([
    ['a parsed body', notification, headers, 'body_not_raw'],
    ['no body', undefined, headers, 'body_not_raw'],
    ['a body that is too large', new Uint8Array(2 ** 20 + 1), headers, 'body_too_large'],
    ['no signature', body, {}, 'signature_missing'],
    ['an undefined signature', body, { 'x-service-signature': undefined }, 'signature_missing'],
    ['an empty signature', body, { 'x-service-signature': '' }, 'signature_malformed'],
    [
      'another hash',
      body,
      { 'x-service-signature': signature.replace('sha256', 'sha1') },
      'signature_malformed',
    ],
    ['no prefix', body, { 'x-service-signature': signature.slice(7) }, 'signature_malformed'],
    [
      'a cut digest',
      body,
      { 'x-service-signature': signature.slice(0, -1) },
      'signature_malformed',
    ],
    ['a longer digest', body, { 'x-service-signature': `${signature}00` }, 'signature_malformed'],
    [
      'two signatures',
      body,
      { 'x-service-signature': [signature, signature] },
      'signature_repeated',
    ],
    [
      'two joined signatures',
      body,
      new Headers([
        ['x-service-signature', signature],
        ['x-service-signature', signature],
      ]),
      'signature_repeated',
    ],
    [
      'names in two cases',
      body,
      { 'X-Service-Signature': signature, 'x-service-signature': signature },
      'signature_repeated',
    ],
    [
      'the signature of another secret',
      body,
      { 'x-service-signature': sign(body, 'other') },
      'signature_wrong',
    ],
    ['another id', body, { ...headers, 'x-idempotency-key': '0' }, 'idempotency_key_differs'],
    ['two ids', body, { ...headers, 'x-idempotency-key': [id, id] }, 'idempotency_key_differs'],
  ])('rejects %s', async (_, given, sent, fault) => {
    const error = await verifyWebhook(given as string, sent as never, secret).catch(
      (thrown) => thrown,
    )
    expect(error).toMatchObject({ code: 'WEBHOOK_INVALID', fault })
    expect(String(error)).not.toContain(secret)
  })

  it.each(['', '[]', 'null', '{}', '{"notification_id":1}', '\u{feff}{'])(
    'rejects a signed payload that is no notification: %j',
    async (payload) => {
      const bytes = new TextEncoder().encode(payload)
      await expect(
        verifyWebhook(bytes, { 'x-service-signature': sign(bytes) }, secret),
      ).rejects.toMatchObject({ fault: 'payload_malformed' })
    },
  )

  it('refuses an empty secret', async () => {
    await expect(verifyWebhook(body, headers, '')).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
    })
  })

  property({ at: fc.nat(body.length - 1), bit: fc.nat(7) })(
    'rejects a body with any bit changed',
    async ({ at, bit }) => {
      const changed = Uint8Array.from(body)
      changed[at]! ^= 1 << bit
      await expect(verifyWebhook(changed, headers, secret)).rejects.toMatchObject({
        fault: 'signature_wrong',
      })
    },
  )

  property({ at: fc.nat(63), digit: fc.nat(15) })(
    'rejects a signature with any digit changed',
    async ({ at, digit }) => {
      const digits = [...signature.slice(7)]
      fc.pre(digits[at] !== digit.toString(16))
      digits[at] = digit.toString(16)
      const changed = { 'x-service-signature': `sha256=${digits.join('')}` }
      await expect(verifyWebhook(body, changed, secret)).rejects.toMatchObject({
        fault: 'signature_wrong',
      })
    },
  )

  property({ name: fc.string(), value: fc.string() })(
    'never throws anything else for any header',
    async ({ name, value }) => {
      const error = await verifyWebhook(body, { [name]: value }, secret).catch((thrown) => thrown)
      expect(error).toMatchObject({ code: 'WEBHOOK_INVALID' })
    },
  )
})

describe('webhookIdempotencyKey', () => {
  it('is the id of the notification, or the header if there is exactly one', () => {
    expect(webhookIdempotencyKey(notification as never)).toBe(id)
    expect(webhookIdempotencyKey(headers)).toBe(id)
    expect(webhookIdempotencyKey(new Headers(headers))).toBe(id)
    expect(webhookIdempotencyKey({ 'X-Idempotency-Key': [id, id] })).toBeUndefined()
    expect(webhookIdempotencyKey({ 'x-idempotency-key': 'a b' })).toBeUndefined()
    expect(webhookIdempotencyKey({})).toBeUndefined()
  })
})

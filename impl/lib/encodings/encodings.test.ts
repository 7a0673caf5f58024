import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeNested } from './decodeNested.ts'
import { encodedSpans } from './encodedSpans.ts'
import { encodeAs, type FormName, formsOf } from './forms.ts'
import { carrier, isAnywhereIn, secretWord } from './nesting.fixture.ts'
import { secretHider, unhide } from './redactSecrets.ts'

const secretsIn = (pieces: ReturnType<ReturnType<typeof secretHider>>): string =>
  unhide(pieces, () => '\u2205')

describe('a secret in nested encodings', () => {
  test('is redacted in any nesting, and restored exactly or in an equivalent form', () =>
    fc.assert(
      fc.property(secretWord, carrier, (secret, wrap) => {
        const text = wrap(secret)
        const pieces = secretHider([['A', secret]])(text)
        expect(isAnywhereIn(text, secret)).toBe(true)
        expect(
          isAnywhereIn(
            unhide(pieces, () => secret),
            secret,
          ),
        ).toBe(true)
        expect(
          isAnywhereIn(
            unhide(pieces, () => 'another-word'),
            secret,
          ),
        ).toBe(false)
      }),
      { numRuns: 400 },
    ))

  test('is found by decodeNested', () =>
    fc.assert(
      fc.property(secretWord, carrier, (secret, wrap) => {
        const latin1 = Buffer.from(secret).toString('latin1')
        const seen: string[] = []
        decodeNested(wrap(secret), (each) => {
          if (each.includes(secret) || each.includes(latin1)) seen.push(each)
        })
        expect(seen).not.toEqual([])
      }),
      { numRuns: 200 },
    ))

  test('is restored byte for byte where no form is ambiguous', () =>
    fc.assert(
      fc.property(secretWord, carrier, (secret, wrap) => {
        const text = wrap(secret)
        const pieces = secretHider([['A', secret]], { exactly: true })(text)
        expect(unhide(pieces, () => secret)).toBe(text)
      }),
      { numRuns: 400 },
    ))
})

describe('texts without the secret are unchanged', () => {
  test('any text', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(unhide(secretHider([['A', 'nowhere-to-be-found']])(text), () => '')).toBe(text)
      }),
    ))
})

test.each<[string, string]>([
  [
    'ABI-encoded calldata',
    `0x12345678${'00'.repeat(31)}20${'00'.repeat(31)}10${Buffer.from('s3cret-word-here').toString('hex')}`,
  ],
  ['a form', `grant=client&key=${encodeURIComponent('s3cret-word-here')}&x=%20`],
  [
    'a token between dots',
    `eyJhbGciOiJIUzI1NiJ9.${Buffer.from('{"k":"s3cret-word-here"}').toString('base64url')}.c2ln`,
  ],
  ['a user and password', `Basic ${Buffer.from('me:s3cret-word-here').toString('base64')}`],
  ['capitals', Buffer.from('s3cret-word-here').toString('hex').toUpperCase()],
  [
    'an escape for each letter',
    [...'s3cret-word-here'].map((c) => `%${c.charCodeAt(0).toString(16)}`).join(''),
  ],
  [
    'JSON without its quotes',
    JSON.stringify(JSON.stringify({ a: 's3cret-word-here\n' })).slice(1, -1),
  ],
])('%s', (_, text) => {
  const pieces = secretHider([['A', 's3cret-word-here']], { exactly: true })(text)
  expect(secretsIn(pieces)).not.toBe(text)
  expect(unhide(pieces, () => 's3cret-word-here')).toBe(text)
})

test('a private key is found as bytes, in upper case and without 0x', () => {
  const key = `0x${'a7'.repeat(31)}b1`
  const raw = Buffer.from(key.slice(2), 'hex')
  for (const text of [
    key.slice(2),
    key.slice(2).toUpperCase(),
    raw.toString('base64'),
    raw.toString('base64url'),
    Buffer.concat([Buffer.from([0xff]), raw, Buffer.from('tail')]).toString('base64'),
  ]) {
    const pieces = secretHider([['K', key]])(text)
    expect(pieces.some((piece) => typeof piece !== 'string')).toBe(true)
    expect(unhide(pieces, () => key)).toBe(text)
  }
})

test('every form of a value is decoded', () => {
  const value = 'a "word" of/two+parts é'
  const decodable: readonly FormName[] = [
    'json',
    'json-ascii',
    'json-slashes',
    'url',
    'url-lower',
    'form',
    'percent',
    'base64',
    'base64-bare',
    'base64url',
    'hex',
    'hex-upper',
  ]
  for (const form of decodable) {
    const word = encodeAs(form, value)
    expect(
      encodedSpans(word).map(({ decoded }) => decoded),
      form,
    ).toContain(value)
  }
  expect(new Set(formsOf(value).map(([text]) => text)).size).toBeGreaterThan(10)
})

test('excessive nesting is an error', () => {
  const text = `%${'25'.repeat(3_000)}41`
  expect(() => secretHider([['A', 'secret-word']])(text)).toThrow('too many nested encodings')
})

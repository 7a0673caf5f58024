import fc from 'fast-check'
import { carrier, isAnywhereIn, secretWord } from 'polgate-lib/encodings/nesting.fixture.ts'
import { expect, test } from 'vitest'
import { redact } from './redact.ts'

const secrets = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const key = 'k"ey/ä+1234'

test.each([
  ['verbatim', key],
  ['escaped as JSON', JSON.stringify({ key })],
  ['in a URL', encodeURIComponent(key)],
  ['in base64', Buffer.from(key).toString('base64')],
  ['in base64url', Buffer.from(key).toString('base64url')],
  ['in hex', Buffer.from(key).toString('hex')],
])('a secret is redacted %s', (_form, text) => {
  const clean = redact(`before ${text} after`, secrets({ nested: { key } }))
  expect(clean).toMatch(/^before .*\[redacted\].* after$/)
  expect(clean).not.toContain('1234')
})

test('text without secrets is unchanged', () => {
  expect(redact('the feed is closed', secrets({ key }))).toBe('the feed is closed')
  expect(redact('the feed is closed', undefined)).toBe('the feed is closed')
})

test('a value too short to be distinguished from text withholds the text', () => {
  expect(redact('pin 42 was wrong', secrets({ pin: '42' }))).toBe(
    'details withheld: they contain a secret',
  )
})

test('the longer of two secrets is redacted first', () => {
  expect(redact('secret-long', secrets({ a: 'secret', b: 'secret-long' }))).toBe('[redacted]')
})

test('plaintext that is not JSON is one secret', () => {
  expect(redact('it was hunter2!', new TextEncoder().encode('hunter2'))).toBe('it was [redacted]!')
})

test('a long text is truncated, but only after redaction', () => {
  const text = redact(`${'x'.repeat(2040)}${key}`, secrets({ key }))
  expect(text.length).toBe(2048 + 3)
  expect(text).toBe(`${'x'.repeat(2040)}[redacte...`)
})

test.each([
  ['in base64 of a header', (value: string) => Buffer.from(`${value}`).toString('base64')],
  ['in upper-case hex', (value: string) => Buffer.from(value).toString('hex').toUpperCase()],
  ['form-encoded', (value: string) => new URLSearchParams({ value }).toString().slice(6)],
  ['in lower-case URL encoding', (value: string) => encodeURIComponent(value).toLowerCase()],
  ['in JSON with escapes', (value: string) => JSON.stringify(value).replaceAll('/', '\\/')],
  ['in Basic credentials', (value: string) => Buffer.from(`me:${value}`).toString('base64')],
  [
    'in base64 with other text',
    (value: string) => Buffer.from(`{"a":"${value}"}`).toString('base64url'),
  ],
  ['in JSON within JSON', (value: string) => JSON.stringify(JSON.stringify(value)).slice(3, -3)],
])('a secret is redacted %s', (_form, written) => {
  const value = 'k"ey/ä +1234'
  const clean = redact(`before ${written(value)} after`, secrets({ value }))
  expect(clean).toMatch(/^before .*\[redacted\].* after$/)
  expect(clean).not.toContain('1234')
})

test('a secret in nested encodings never appears in an error text', () =>
  fc.assert(
    fc.property(secretWord, carrier, (secret, wrap) => {
      const plaintext = Buffer.from(JSON.stringify({ KEY: secret }))
      const clean = redact(`the feed said ${wrap(secret)}`, plaintext)
      expect(isAnywhereIn(clean, secret)).toBe(false)
    }),
    { numRuns: 200 },
  ))

test('a secret beyond the inspected part does not appear', () => {
  const secret = `a-key-${'x1y2'.repeat(48)}`
  const text = secret.repeat(200)
  expect(redact(text, Buffer.from(JSON.stringify({ KEY: secret })))).not.toContain('a-key')
})

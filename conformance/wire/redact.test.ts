import { isAnywhereIn } from 'polgate-lib/encodings/nesting.fixture.ts'
import { describe, expect, test } from 'vitest'
import { redactJson, redactor } from './redact.ts'

const redact = redactor({
  SVC_KEY_READ: 'key-of-a-reader',
  SVC_KEY_RPC: 'key-of-a-reader-and-writer',
  SVC_ACCOUNT_OWNER: '0xabcdef0123456789',
  SHORT: 'abc',
})

describe('redaction', () => {
  test('the value is removed, its name is shown', () => {
    expect(redact('Bearer key-of-a-reader!')).toBe('Bearer $SVC_KEY_READ!')
  })
  test('a longer secret with the same prefix leaves no remainder', () => {
    expect(redact('key-of-a-reader-and-writer')).toBe('$SVC_KEY_RPC')
  })
  test('its hex and base64, and hex without 0x, are removed too', () => {
    const bytes = Buffer.from('key-of-a-reader')
    expect(redact(bytes.toString('hex'))).toBe('$SVC_KEY_READ')
    expect(redact(bytes.toString('base64'))).toBe('$SVC_KEY_READ')
    expect(redact('abcdef0123456789')).toBe('$SVC_ACCOUNT_OWNER')
  })
  test('words that are too short to be secrets stay', () => {
    expect(redact('abc')).toBe('abc')
  })
  test('in every string of a value', () => {
    expect(redactJson({ a: [{ b: 'x key-of-a-reader' }] }, redact)).toEqual({
      a: [{ b: 'x $SVC_KEY_READ' }],
    })
  })

  test('a text truncated inside a secret contains no part of it', () => {
    expect(redact('Bearer key-of-a-reader-and-wr')).toBe('Bearer $SVC_KEY_RPC')
    expect(redact('it said key-of-a-re... | more')).toMatch(/^it said \$SVC_KEY_\w+\.\.\. \| more$/)
    expect(redact('key-of-a-rose is none')).toBe('key-of-a-rose is none')
    expect(redact('0xabcdef0123…')).toBe('$SVC_ACCOUNT_OWNER…')
  })

  const odd = 'a "key", with ümlaut & \\slash'
  const oddly = redactor({ SVC_KEY_ODD: odd })

  test('as JSON in a string of JSON, in a URL, in the base64 of Basic, in capital hex', () => {
    const forms = [
      JSON.stringify({ said: odd }),
      JSON.stringify({ body: JSON.stringify({ said: odd }) }),
      `/ws?api_key=${encodeURIComponent(odd)}&x=1`,
      `/ws?${new URLSearchParams({ api_key: odd })}`,
      `Basic ${Buffer.from(`user:${odd}`).toString('base64')}`,
      Buffer.from(odd).toString('hex').toUpperCase(),
    ]
    for (const form of forms) expect(oddly(form)).toContain('$SVC_KEY_ODD')
  })

  test('encoded more than once, in bytes of a call, in a token', () => {
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    const hex = (text: string) => Buffer.from(text).toString('hex')
    const forms = [
      `0x${hex(JSON.stringify({ key: base64(odd) }))}`,
      base64(JSON.stringify({ body: hex(JSON.stringify({ said: odd })) })),
      `${base64('{"alg":"none"}')}.${base64(JSON.stringify({ said: base64(odd) }))}.`,
      encodeURIComponent(`k=${encodeURIComponent(`a=${encodeURIComponent(odd)}`)}`),
      `0xdeadbeef${'00'.repeat(31)}20${hex(hex(odd))}${'00'.repeat(7)}`,
    ]
    for (const form of forms) {
      const clean = oddly(`it said ${form} and more`)
      expect(clean).toContain('$SVC_KEY_ODD')
      expect(isAnywhereIn(clean, odd)).toBe(false)
    }
  })

  test('a value keeps its structure, even if a secret contains JSON syntax', () => {
    expect(redactJson({ [odd]: [odd, 1, null, { deep: `<${odd}>` }] }, oddly)).toEqual({
      $SVC_KEY_ODD: ['$SVC_KEY_ODD', 1, null, { deep: '<$SVC_KEY_ODD>' }],
    })
  })
})

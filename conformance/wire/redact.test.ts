import { describe, expect, test } from 'vitest'
import { redactJson, redactor } from './redact.ts'

const redact = redactor({
  SVC_KEY_READ: 'key-of-a-reader',
  SVC_KEY_RPC: 'key-of-a-reader-and-writer',
  SVC_ACCOUNT_OWNER: '0xabcdef0123456789',
  SHORT: 'abc',
})

describe('redaction', () => {
  test('the value goes, its name stays', () => {
    expect(redact('Bearer key-of-a-reader!')).toBe('Bearer $SVC_KEY_READ!')
  })
  test('a longer secret that begins like another leaves no rest', () => {
    expect(redact('key-of-a-reader-and-writer')).toBe('$SVC_KEY_RPC')
  })
  test('hex and base64 of it, and hex without 0x, go too', () => {
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
})

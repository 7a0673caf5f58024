// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are such texts
import fc from 'fast-check'
import { formsOf } from 'polgate-lib/encodings/forms.ts'
import { carrier, isAnywhereIn, secretWord } from 'polgate-lib/encodings/nesting.fixture.ts'
import { describe, expect, test } from 'vitest'
import { createPlaceholders, withoutPlaceholders } from './placeholders.ts'
import { RecordingError } from './recordingError.ts'

const key = 'sk-live/Ünïque key+1'
const { hide, restore, found } = createPlaceholders({
  secrets: [
    ['API_KEY', key],
    ['REGION', 'eu'],
    ['EMPTY', ''],
  ],
})

function hiddenOrRefused(text: string): string {
  try {
    return hide(text)
  } catch (error) {
    return (error as Error).message
  }
}

describe('placeholders', () => {
  test.each([
    [`Bearer ${key}`, 'Bearer ${secret:API_KEY}'],
    ['https://eu.example/v1', 'https://${secret:REGION}.example/v1'],
    [encodeURIComponent(key), '${url:${secret:API_KEY}}'],
    [Buffer.from(key).toString('base64'), '${base64:${secret:API_KEY}}'],
    [Buffer.from(key).toString('hex'), '${hex:${secret:API_KEY}}'],
    [
      `Basic ${Buffer.from(`me:${key}}`).toString('base64')}`,
      'Basic ${base64:me:${secret:API_KEY}${close}}',
    ],
    ['a ${secret:API_KEY} of the oracle', 'a ${dollar}{secret:API_KEY} of the oracle'],
    ['"sk-live/\\u00dcn\\u00efque key+1"', '"${json-ascii:${secret:API_KEY}}"'],
    ['"sk-live\\/Ünïque key+1"', '"${json-slashes:${secret:API_KEY}}"'],
    [Buffer.from(key).toString('latin1'), '${latin1:${secret:API_KEY}}'],
    ['nothing to hide', 'nothing to hide'],
  ])('%s is stored as %s', (text, kept) => {
    expect(hide(text)).toBe(kept)
    expect(restore(kept)).toBe(text)
  })

  test('nested encodings are preserved', () => {
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    const hex = (text: string) => Buffer.from(text).toString('hex')
    for (const [text, kept] of [
      [
        hex(JSON.stringify({ k: base64(key) })),
        '${hex:{"k":"${base64:${secret:API_KEY}}"${close}}',
      ],
      [
        `${base64('{"alg":"x"}')}.${Buffer.from(JSON.stringify({ sub: key })).toString('base64url')}.c2ln`,
        `${base64('{"alg":"x"}')}.\${base64url:{"sub":"\${secret:API_KEY}"\${close}}.c2ln`,
      ],
    ] as const) {
      expect(hide(text)).toBe(kept)
      expect(restore(kept)).toBe(text)
    }
  })

  test('a secret in any encodings is restored byte for byte, or rejected by name', () =>
    fc.assert(
      fc.property(secretWord, carrier, (secret, wrap) => {
        const placeholders = createPlaceholders({ secrets: [['MINE', secret]] })
        const text = wrap(secret)
        let kept: string
        try {
          kept = placeholders.hide(text)
        } catch (error) {
          expect((error as Error).message).toContain('the secret MINE')
          expect((error as Error).message).not.toContain(secret)
          return
        }
        expect(placeholders.restore(kept)).toBe(text)
        expect(isAnywhereIn(kept, secret)).toBe(false)
      }),
      { numRuns: 300 },
    ))

  test('JSON is preserved', () => {
    const quoted = createPlaceholders({ secrets: [['KEY', 'a"b\\c']] })
    const text = JSON.stringify({ key: 'a"b\\c' })
    expect(quoted.hide(text)).toBe('{"key":"${json:${secret:KEY}}"}')
    expect(quoted.restore(quoted.hide(text))).toBe(text)
  })

  test('a longer secret is not cut in two by a shorter one', () => {
    const { hide } = createPlaceholders({
      secrets: [
        ['SHORT', '=k'],
        ['LONG', 'key-0123456789'],
      ],
    })
    expect(hide('x=key-0123456789')).toBe('x=${secret:LONG}')
  })

  test('a redacted value is restored as a substitute', () => {
    const { hide, restore } = createPlaceholders({ secrets: [], redacted: ['session-7f3a'] })
    expect(hide('{"token":"session-7f3a"}')).toBe('{"token":"${redacted:1}"}')
    expect(restore('{"token":"${redacted:1}"}')).toBe('{"token":"redacted-1"}')
  })

  test('a secret at any position within base64 is hidden or rejected', () => {
    for (const before of ['', 'x', 'xy', 'xyz', 'user:']) {
      for (const after of ['', '.', '::']) {
        const word = Buffer.from(`${before}${key}${after}`).toString('base64')
        const kept = hide(word)
        expect(kept).toContain('${secret:API_KEY}')
        expect(restore(kept)).toBe(word)
        // Joined with characters of the base64 alphabet it is no longer a separate word.
        expect(hiddenOrRefused(`A${word}AAA`)).toMatch(/secret:API_KEY|the secret API_KEY within/)
      }
    }
  })

  test('a missing secret is reported by name', () => {
    expect(() => restore('${secret:OTHER}')).toThrow('the recording needs the secret OTHER')
    expect(() => restore('${unknown}')).toThrow('an unknown placeholder: ${unknown')
  })

  test('finds a secret in bytes that are not UTF-8', () => {
    const bytes = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text)])
    expect(found(bytes(key))).toBe('API_KEY')
    expect(found(bytes(Buffer.from(key).toString('hex')))).toBe('API_KEY')
    expect(found(bytes('harmless'))).toBeUndefined()
  })

  test('a short secret beside the encoding of another one is hidden', () => {
    const secrets = [
      ['A', 'secret'],
      ['B', '    '],
      ['C', '${secret:A}'],
    ] as const
    const placeholders = createPlaceholders({ secrets })
    const text = '20202020secretJHtzZWNyZXQ6QX0='
    expect(placeholders.hide(text)).toBe('${hex:${secret:B}}${secret:A}${base64-bare:${secret:C}}=')
    expect(placeholders.restore(placeholders.hide(text))).toBe(text)
  })

  test('any text with any secrets is restored, and contains none of them meanwhile', () => {
    const secret = fc.oneof(
      fc.string({ minLength: 1, maxLength: 12 }),
      fc.string({ unit: 'grapheme', minLength: 4, maxLength: 20 }),
      fc.constantFrom('secret', 'dollar', '${', '}', 'base64', 'API_KEY', '${secret:A}'),
    )
    const run = fc
      .record({
        secrets: fc.uniqueArray(fc.tuple(fc.string({ minLength: 1, maxLength: 6 }), secret), {
          selector: ([name]) => name,
          maxLength: 4,
        }),
        parts: fc.array(fc.oneof(fc.string(), fc.nat(60), fc.constantFrom('${', '}', '$', '{'))),
      })
      .map(({ secrets, parts }) => {
        const forms = secrets.flatMap(([, value]) => formsOf(value).map(([form]) => form))
        const text = parts
          .map((part) => (typeof part === 'number' ? (forms[part % forms.length] ?? '') : part))
          .join('')
        return { secrets, text }
      })
    fc.assert(
      fc.property(run, ({ secrets, text }) => {
        const placeholders = createPlaceholders({ secrets })
        let kept: string
        try {
          kept = placeholders.hide(text)
        } catch (error) {
          expect(error).toBeInstanceOf(RecordingError)
          return
        }
        expect(placeholders.restore(kept)).toBe(text)
        const rest = withoutPlaceholders(kept)
        for (const [, value] of secrets) {
          for (const [form] of formsOf(value)) expect(rest).not.toContain(form)
        }
      }),
      { numRuns: 500 },
    )
  })
})

import fc from 'fast-check'
import { carrier, isAnywhereIn, secretWord } from 'polgate-lib/encodings/nesting.fixture.ts'
import { describe, expect, it } from 'vitest'
import { longestBody, secretsHidden, shownRequest, shownResponse } from './shownExchange.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const none = secretsHidden(undefined)

describe('what is shown of an exchange', () => {
  it('contains no secret of the run, wherever and however encoded it is sent and echoed', () =>
    fc.assert(
      fc.property(secretWord, carrier, (secret, wrap) => {
        const secrets = secretsHidden(bytes(JSON.stringify({ nested: { API_KEY: secret } })))
        const text = wrap(secret)
        const request = {
          url: `https://api.example/v1/${text}?k=${encodeURIComponent(text)}`,
          method: 'POST',
          headers: [['x-thing', text]] as [string, string][],
          body: bytes(text),
        }
        const response = {
          status: 200,
          headers: [['x-echo', text]] as [string, string][],
          body: bytes(text),
        }
        const shown = [shownRequest(request, secrets), shownResponse(response, secrets)]
        for (const each of JSON.stringify(shown).split('"'))
          expect(isAnywhereIn(each, secret)).toBe(false)
      }),
      {
        numRuns: 60,
        // Read as JSON because of the parameter, its path has another text.
        examples: [['aaa\\\\/+%00+', (text: string) => text]],
      },
    ))

  it('names the secret, and keeps the rest', () => {
    const secrets = secretsHidden(bytes(JSON.stringify({ API_KEY: 'sk-live-0123456789' })))
    const request = {
      url: 'https://api.example/v1/ETH?key=sk-live-0123456789',
      method: 'GET',
      headers: [['authorization', 'Bearer sk-live-0123456789']] as [string, string][],
    }
    expect(shownRequest(request, secrets)).toEqual({
      method: 'GET',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder
      url: 'https://api.example/v1/ETH?key=${secret:API_KEY}',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder
      requestHeaders: [['authorization', 'Bearer ${secret:API_KEY}']],
      requestBody: { text: '', size: 0 },
    })
  })

  it.each([
    ['a header', { headers: [['x-api-key', 'kJ8s0fQpLz7Yw2Rb']] as [string, string][] }],
    ['a parameter', { url: 'https://api.example/v1?api_key=kJ8s0fQpLz7Yw2Rb' }],
    ['a member of a body', { body: bytes('{"api_key": "kJ8s0fQpLz7Yw2Rb"}') }],
  ])('leaves out what looks like a credential in %s, which no run declared', (_, part) => {
    const request = { url: 'https://api.example/v1', method: 'POST', headers: [], ...part }
    const text = JSON.stringify(shownRequest(request, none))
    expect(text).not.toContain('kJ8s0fQpLz7Yw2Rb')
    expect(text).toContain('https://api.example')
  })

  it('is bounded: a long body is cut after its secrets are hidden, a very long one and one that is not a string are left out', () => {
    const secret = 'a-secret-of-the-run'
    const secrets = secretsHidden(bytes(JSON.stringify({ KEY: secret })))
    const body = (content: Uint8Array) =>
      shownResponse({ status: 200, headers: [], body: content }, secrets).body
    const cut = body(bytes(`${'x'.repeat(longestBody - 5)}${secret}${'y'.repeat(100)}`))
    expect(cut).toMatchObject({ size: longestBody + 114, note: 'the first 64 KiB' })
    expect(cut.text).toHaveLength(longestBody)
    expect(cut.text).not.toContain('a-sec')
    expect(body(bytes('x'.repeat(300_000)))).toEqual({
      ...{ text: null, size: 300_000, note: 'longer than 256 KiB' },
    })
    expect(body(Uint8Array.of(0xff, 0xfe))).toEqual({ text: null, size: 2, note: 'not text' })
  })
})

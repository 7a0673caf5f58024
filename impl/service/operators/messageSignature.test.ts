import { describe, expect, it } from 'vitest'
import {
  byteSequence,
  contentDigest,
  hmacSha256,
  sameText,
  signatureBase,
  signatureInput,
} from './messageSignature.ts'

/** RFC 9421, appendix B: `test-shared-secret` and the request of B.2. */
const sharedSecret = Buffer.from(
  'uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==',
  'base64',
)

describe('HTTP message signatures', () => {
  it('match RFC 9421, B.2.5', () => {
    const components = [
      ['"date"', 'Tue, 20 Apr 2021 02:07:55 GMT'],
      ['"@authority"', 'example.com'],
      ['"content-type"', 'application/json'],
    ] as const
    const params = ';created=1618884473;keyid="test-shared-secret"'
    expect(signatureInput(components, params)).toBe(
      '("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"',
    )
    expect(signatureBase(components, params)).toBe(
      [
        '"date": Tue, 20 Apr 2021 02:07:55 GMT',
        '"@authority": example.com',
        '"content-type": application/json',
        '"@signature-params": ("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"',
      ].join('\n'),
    )
    expect(byteSequence(hmacSha256(sharedSecret, signatureBase(components, params)))).toBe(
      ':pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=:',
    )
  })

  it('digest content as in RFC 9530', () => {
    expect(contentDigest('{"hello": "world"}')).toBe(
      'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:',
    )
  })

  it('compare texts of any length', () => {
    expect(sameText('abc', 'abc')).toBe(true)
    expect(sameText('abc', 'abcd')).toBe(false)
    expect(sameText('', 'a')).toBe(false)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as hashingOfNode from './hashing.node.ts'
import * as hashing from './hashing.portable.ts'
import * as node from './values.node.ts'
import * as portable from './values.portable.ts'

const bytes = fc.uint8Array({ maxLength: 100 })
const plain = (array: Uint8Array): number[] => [...array]

describe('browsers and Node have the same', () => {
  it('hexadecimal and base64', () => {
    fc.assert(
      fc.property(bytes, fc.boolean(), (given, url) => {
        expect(portable.toHex(given)).toBe(node.toHex(given))
        expect(plain(portable.ofHex(node.toHex(given)))).toEqual(plain(given))
        const text = node.toBase64(given, url)
        expect(portable.toBase64(given, url)).toBe(text)
        const body = text.replace(/=+$/, '')
        expect(plain(portable.ofBase64(body))).toEqual(plain(given))
        expect(plain(node.ofBase64(body))).toEqual(plain(given))
      }),
      { numRuns: 200 },
    )
  })

  it('hashes', () => {
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        expect(plain(portable.sha256([a, b]))).toEqual(plain(node.sha256([a, b])))
        for (const name of ['md5', 'sha1', 'sha256', 'sha512'] as const) {
          expect(plain(hashing.digestOf(name, a))).toEqual(plain(hashingOfNode.digestOf(name, a)))
          expect(plain(hashing.hmacOf(name, b, a))).toEqual(plain(hashingOfNode.hmacOf(name, b, a)))
        }
      }),
      { numRuns: 20 },
    )
  })

  it('seeds of 16 bytes that differ', () => {
    for (const { randomSeed } of [portable, node]) {
      expect(randomSeed()).toHaveLength(16)
      expect(plain(randomSeed())).not.toEqual(plain(randomSeed()))
    }
  })
})

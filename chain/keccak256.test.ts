import fc from 'fast-check'
import { keccak256 as expected, toHex } from 'viem'
import { expect, test } from 'vitest'
import { keccak256 } from './keccak256.ts'

test('is the hash of viem for any bytes, also around the size of a block', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 500 }),
    fc.uint8Array({ minLength: 134, maxLength: 138 }),
    fc.uint8Array({ minLength: 4_000, maxLength: 5_000 }),
  )
  fc.assert(
    fc.property(bytes, (data) => {
      expect(keccak256(data)).toBe(expected(data))
      expect(keccak256(toHex(data))).toBe(expected(data))
    }),
  )
  expect(keccak256('0x')).toBe(expected('0x'))
})

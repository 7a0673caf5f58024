import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codePoint } from './codePoint.ts'

test('is one character, and no half of one', () => {
  fc.assert(
    fc.property(codePoint, (text) => {
      expect([...text]).toHaveLength(1)
      expect(() => encodeURIComponent(text)).not.toThrow()
    }),
  )
})

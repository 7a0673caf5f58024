import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codePoint } from './codePoint.ts'

test('is one character, and not a lone surrogate', () => {
  fc.assert(
    fc.property(codePoint, (text) => {
      expect([...text]).toHaveLength(1)
      expect(() => encodeURIComponent(text)).not.toThrow()
    }),
  )
})

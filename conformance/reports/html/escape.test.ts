import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codePoint } from '../../arbitraries/codePoint.ts'
import { elementContent, elementText, escaped } from './escape.ts'

test('a text that is not searched further has nothing to escape, and bytes are escaped as text is', () => {
  const text = fc.array(
    fc.oneof(codePoint, fc.constantFrom('a', '"', "'", '<', '#', '##[', '\x7f')),
  )
  fc.assert(
    fc.property(text, (some) => {
      const value = some.join('')
      const long = elementText(value).replaceAll('"', '&quot;').replaceAll("'", '&#39;')
      expect(escaped(value)).toBe(long)
      const json = JSON.stringify(value)
      const content = elementContent(Buffer.from(json))
      expect(String(content)).toBe(elementText(json))
    }),
    { numRuns: 200 },
  )
  expect(elementContent(Buffer.from('["a"]'))).toBeInstanceOf(Uint8Array)
})
